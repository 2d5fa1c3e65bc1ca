import type { DomainView, EditDomain } from "./schema.ts";
import type { DomainRow, DomainValues } from "./store.ts";

export const emptyValues: DomainValues = {
  slug: "",
  archived: false,
  case_insensitive: false,
  track_conversion: false,
  placeholder: null,
  expired_url: null,
  not_found_url: null,
  logo: null,
  asset_links: null,
  apple_app_site_association: null,
  icp: null,
};

/** Omitted fields keep their value; null clears it. */
export function withChanges(before: DomainValues, body: EditDomain): DomainValues {
  const kept = <T>(given: T | undefined, old: T): T => (given === undefined ? old : given);
  return {
    slug: before.slug,
    archived: kept(body.archived, before.archived),
    case_insensitive: kept(body.caseInsensitive, before.case_insensitive),
    track_conversion: kept(body.trackConversion, before.track_conversion),
    placeholder: kept(body.placeholder, before.placeholder),
    expired_url: kept(body.expiredUrl, before.expired_url),
    not_found_url: kept(body.notFoundUrl, before.not_found_url),
    logo: kept(body.logo, before.logo),
    asset_links: kept(body.assetLinks, before.asset_links),
    apple_app_site_association: kept(
      body.appleAppSiteAssociation,
      before.apple_app_site_association,
    ),
    icp: kept(body.icp, before.icp),
  };
}

export function presentDomain(row: DomainRow): DomainView {
  return {
    id: row.id,
    slug: row.slug,
    verified: row.verified_at !== null,
    primary: row.primary,
    archived: row.archived,
    placeholder: row.placeholder,
    expiredUrl: row.expired_url,
    notFoundUrl: row.not_found_url,
    logo: row.logo,
    assetLinks: row.asset_links,
    appleAppSiteAssociation: row.apple_app_site_association,
    deepviewData: null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    registeredDomain: null,
    ...(row.icp === null ? {} : { icp: row.icp }),
    ...(row.case_insensitive ? { caseInsensitive: true } : {}),
    ...(row.track_conversion ? { trackConversion: true } : {}),
  };
}
