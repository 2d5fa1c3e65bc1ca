import { domainToUnicode } from "node:url";
import { DomainList } from "#components/domains/domain-list";
import { Pager } from "#components/links/pager";
import { listDomainStates } from "#lib/links/domains";
import { listDomainsQuery } from "#lib/links/domains/schema";
import { defaultHost, listDomains } from "#lib/links/hosts";
import { isFeatureOn } from "#lib/tenancy/features";
import { type ListPageOf, Texts, titleOf } from "../../../pages.tsx";
import { requireScope } from "../../access.ts";
import { FeatureNote } from "../feature-note.tsx";
import { neighborPages, parseListing, readPage } from "../listing.ts";
import { QuotaNote } from "../quota-note.tsx";
import { addDomainAction } from "./actions.ts";

export const generateMetadata = titleOf("domains.heading");

export default async function DomainsPage({ params, searchParams }: ListPageOf<"workspace">) {
  const { workspace: slug } = await params;
  const listing = parseListing(await searchParams);
  const scope = await requireScope(slug);
  const { rows: domains, found } = await readPage(listing, ({ search, ...page }) =>
    listDomainStates(scope, { ...listDomainsQuery.parse({ archived: "true", search }), ...page }),
  );
  const [usable, isOn] = await Promise.all([listDomains(scope), isFeatureOn("domains")]);
  const shared = usable.filter(({ workspacePk }) => workspacePk === undefined);
  const path = `/app/${slug}/domains`;
  return (
    <Texts of={["domains", "named"]}>
      {isOn ? <QuotaNote scope={scope} name="domains" /> : <FeatureNote />}
      <DomainList
        path={path}
        domains={domains.map((domain) => ({ ...domain, written: domainToUnicode(domain.slug) }))}
        search={listing.search}
        ownHost={defaultHost()}
        shared={shared.map((domain) => domainToUnicode(domain.slug))}
        add={
          isOn && scope.permissions.has("domains.write") ? addDomainAction.bind(null, slug) : null
        }
      />
      <div className="mt-4 flex">
        <Pager {...neighborPages(path, listing, found)} />
      </div>
    </Texts>
  );
}
