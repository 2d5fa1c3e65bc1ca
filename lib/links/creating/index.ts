import { noDomain } from "#lib/links/fields";
import { findDomain, openDomains } from "#lib/links/hosts";
import { openPool, parseNewKey } from "#lib/links/keys";
import { drainCommits } from "#lib/links/writing";
import { pkOfCode } from "#lib/platform/codes";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import { onClose } from "#lib/platform/processes";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import type { Availability, AvailabilityQuery } from "./schema.ts";

export { createLinksInBulk, type RowOutcome } from "./bulk.ts";
export { createLinks, createUnmatched, type LinkOutcome } from "./create.ts";
export { dryRunRows } from "./dry-run.ts";
export { duplicateLink } from "./duplicate.ts";
export type { CreateOptions } from "./prepared-link.ts";
export { type PreparedRows, prepareRows, writeRows } from "./prepared-rows.ts";
export type { RowFailure } from "./rows.ts";

export async function openLinks(): Promise<void> {
  await openDomains();
  await openPool();
  onClose("links", drainCommits);
}

export async function checkKey(
  scope: WorkspaceScope,
  { domain: slug, key: text }: AvailabilityQuery,
): Promise<Availability> {
  assertMay(scope, "links.write");
  const domain = await findDomain(scope, slug || undefined);
  if (!domain) throw new AppError("unprocessable_entity", noDomain(slug));
  const parsed = parseNewKey(text, domain);
  if (!parsed.ok) return { available: false, reason: "invalid", message: parsed.message };
  if (!(await isTaken(domain.pk, parsed.key))) {
    return { available: true, reason: null, message: null };
  }
  const message = `"${parsed.key}" is already taken on ${domain.slug}. Choose another one.`;
  return { available: false, reason: "taken", message };
}

async function isTaken(domainPk: number, key: string): Promise<boolean> {
  // Answered by alias_pkey, and by link_pkey for the pk that the key encodes; -1 is not a pk.
  return await query.any(sql`
    SELECT 1
    FROM alias
    WHERE domain_pk = ${domainPk}
      AND key = ${key}
    UNION ALL
    SELECT 1
    FROM link
    WHERE pk = ${pkOfCode(key) ?? -1}
      AND workspace_pk IS NOT NULL
      AND domain_pk = ${domainPk}
      AND key = ${key}`);
}
