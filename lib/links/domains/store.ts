import { namesIn } from "#lib/basics/variants/schema";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { Findings } from "./records.ts";
import type { DomainView, EditDomain, ListDomains } from "./schema.ts";

/** Per workspace, in every plan. */
export const domainsMax = 1_000;

export interface DomainValues {
  slug: string;
  archived: boolean;
  case_insensitive: boolean;
  track_conversion: boolean;
  placeholder: string | null;
  expired_url: string | null;
  not_found_url: string | null;
  logo: string | null;
  asset_links: string | null;
  apple_app_site_association: string | null;
  icp: string | null;
}

export interface DomainRow extends DomainValues {
  pk: number;
  id: string;
  workspace_pk: number;
  primary: boolean;
  verified_at: Date | null;
  token: string;
  claimed_at: Date;
  check_due_at: Date | null;
  proven_at: Date | null;
  checked_at: Date | null;
  failing_since: Date | null;
  findings: Findings | null;
  created_at: Date;
  updated_at: Date;
}

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
const valueColumns = namesIn(emptyValues);

export const columns = `
  pk, id, workspace_pk, slug, "primary", archived, verified_at, case_insensitive, placeholder, expired_url,
  not_found_url, logo, asset_links, apple_app_site_association, icp, track_conversion, token, claimed_at,
  check_due_at, proven_at, checked_at, failing_since, findings, created_at, updated_at`;

export function listRows(workspacePk: number, filter: ListDomains): Promise<DomainRow[]> {
  const { archived, search, page, pageSize } = filter;
  return query<DomainRow>({
    // Answered by domain_claim.
    text: `
      SELECT ${columns}
      FROM domain
      WHERE workspace_pk = $1
        AND ($2 OR NOT archived)
        AND ($3::text IS NULL OR slug LIKE $3)
      ORDER BY "primary" DESC, pk
      LIMIT $4
      OFFSET $5`,
    values: [
      workspacePk,
      archived === "true",
      search ? `%${search.replace(/[\\%_]/g, "\\$&")}%` : null,
      pageSize,
      (page - 1) * pageSize,
    ],
  });
}

export function findRow(workspacePk: number, slug: string) {
  return query.one<DomainRow>({
    // Answered by domain_claim.
    text: `SELECT ${columns} FROM domain WHERE workspace_pk = $1 AND slug = $2`,
    values: [workspacePk, slug],
  });
}

export function lockRow(tx: Connection, workspacePk: number, slug: string) {
  return tx.one<DomainRow>({
    // Answered by domain_claim.
    text: `SELECT ${columns} FROM domain WHERE workspace_pk = $1 AND slug = $2 FOR UPDATE`,
    values: [workspacePk, slug],
  });
}

export async function countRows(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by domain_claim.
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM domain WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

export async function isServed(tx: Connection, slug: string): Promise<boolean> {
  // Answered by domain_serving.
  return await tx.any(sql`SELECT FROM domain WHERE slug = ${slug} AND verified_at IS NOT NULL`);
}

function valuesOf(values: DomainValues): unknown[] {
  return valueColumns.map((column) => values[column]);
}

export async function insertRow(
  tx: Connection,
  row: { id: string; workspacePk: number; verified: boolean; revision: number },
  values: DomainValues,
): Promise<DomainRow> {
  const [inserted] = await tx.query<DomainRow>({
    text: `
      INSERT INTO domain
        (${valueColumns.join(", ")}, id, workspace_pk, verified_at, check_due_at, revision)
      VALUES (
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
        CASE WHEN $14 THEN now() END,
        CASE WHEN NOT $14 THEN now() END,
        $15
      )
      RETURNING ${columns}`,
    values: [...valuesOf(values), row.id, row.workspacePk, row.verified, row.revision],
  });
  if (!inserted) throw new Error("INSERT returned no row");
  return inserted;
}

/** A host that was verified before keeps the time of its verification. */
export async function updateRow(
  tx: Connection,
  row: { pk: number; verified: boolean; revision: number },
  values: DomainValues,
): Promise<DomainRow> {
  const [updated] = await tx.query<DomainRow>({
    text: `
      UPDATE domain
      SET ${valueColumns.map((column, at) => `${column} = $${at + 1}`).join(", ")},
        verified_at = CASE WHEN $12 THEN coalesce(verified_at, now()) END,
        revision = $13,
        updated_at = now()
      WHERE pk = $14
      RETURNING ${columns}`,
    values: [...valuesOf(values), row.verified, row.revision, row.pk],
  });
  if (!updated) throw new Error("The locked row doesn’t exist");
  return updated;
}

/** Takes a new revision, because caches ignore older ones. Answered by domain_pkey. */
export async function reviseRow(tx: Connection, pk: number, revision: number): Promise<void> {
  await tx.query(sql`UPDATE domain SET revision = ${revision} WHERE pk = ${pk}`);
}

export async function setPrimary(tx: Connection, workspacePk: number, pk: number | undefined) {
  // Answered by domain_primary. Clear the old one first: the index allows only one at a time.
  await tx.query(
    sql`UPDATE domain SET "primary" = false WHERE workspace_pk = ${workspacePk} AND "primary"`,
  );
  if (pk === undefined) return;
  await tx.query(sql`UPDATE domain SET "primary" = true, updated_at = now() WHERE pk = ${pk}`);
}

export async function deleteRow(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`DELETE FROM domain WHERE pk = ${pk}`);
}

export function brokenRule(error: unknown): "domain_serving" | "domain_claim" | undefined {
  if (!(error instanceof Error && "constraint" in error)) return undefined;
  const { constraint } = error;
  return constraint === "domain_serving" || constraint === "domain_claim" ? constraint : undefined;
}

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
