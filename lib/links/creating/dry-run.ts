/** Dry runs: what rows would become, for the preview of an import. */
import { loadLookups } from "#lib/links/fields";
import { type NewLink, passwordMask } from "#lib/links/fields/schema";
import { alreadyImported } from "#lib/links/link-rows";
import { query, sql } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { type PreparedLink, prepareLink } from "./prepared-link.ts";
import type { OnTakenKey } from "./prepared-rows.ts";
import { isFailure, parseRow, type RowFailure } from "./rows.ts";

export interface DryRun {
  ok: true;
  body: NewLink;
  domain: string;
  key: string | null;
  tags: string[];
}

/**
 * Tries rows as `prepareRows` and `writeRows` would process them now. `taken` contains what earlier rows of the same file will
 * take. This call adds what its rows take.
 */
export async function dryRunRows(
  scope: WorkspaceScope,
  rows: readonly unknown[],
  onTakenKey: OnTakenKey,
  taken = new Set<string>(),
): Promise<(DryRun | RowFailure)[]> {
  assertMay(scope, "links.write");
  const parsed = rows.map(parseRow).map((body) =>
    // Hashing is slow on purpose, and a dry run does not need the hash.
    isFailure(body) || !body.password ? body : { ...body, password: passwordMask },
  );
  const bodies = parsed.filter((one): one is NewLink => !isFailure(one));
  const lookups = await loadLookups(scope, bodies);
  const options = {
    source: "dashboard",
    prefill: false,
    code: { pk: 0, code: "" },
    part: 0,
  } as const;
  const tried = parsed.map((body) => {
    if (isFailure(body)) return body;
    const prepared = prepareLink(scope, body, lookups, options);
    return prepared.ok ? { body, prepared } : prepared;
  });
  if (onTakenKey === "refuse") {
    for (const name of await findTakenNames(tried)) taken.add(name);
  }
  return tried.map((one) => ("prepared" in one ? dryRunOf(one, taken, onTakenKey) : one));
}

interface DryRunRow {
  body: NewLink;
  prepared: PreparedLink;
}

function nameOf({ prepared: { draft } }: DryRunRow): string {
  return `${draft.row.domain_pk} ${draft.row.key}`;
}

async function findTakenNames(tried: readonly (DryRunRow | RowFailure)[]): Promise<Set<string>> {
  const named = tried.filter((one): one is DryRunRow => "prepared" in one && Boolean(one.body.key));
  if (named.length === 0) return new Set();
  // Answered by alias_pkey.
  const found = await query<{ domain_pk: number; key: string }>(sql`
    SELECT alias.domain_pk, alias.key
    FROM unnest(
      ${named.map(({ prepared }) => prepared.draft.row.domain_pk)}::int[],
      ${named.map(({ prepared }) => prepared.draft.row.key)}::text[]
    ) AS own (domain_pk, key)
    JOIN alias
      ON alias.domain_pk = own.domain_pk
      AND alias.key = own.key`);
  return new Set(found.map(({ domain_pk, key }) => `${domain_pk} ${key}`));
}

function dryRunOf(
  tried: DryRunRow,
  taken: Set<string>,
  onTakenKey: OnTakenKey,
): DryRun | RowFailure {
  const { body, prepared } = tried;
  const { key, origin } = prepared.draft.row;
  const link = origin?.shortLink;
  if (link && taken.has(`origin ${link}`)) {
    const message = alreadyImported(link);
    return { ok: false, code: "already_imported", message, details: { link } };
  }
  if (body.key && onTakenKey === "refuse") {
    if (taken.has(nameOf(tried))) {
      return { ok: false, code: "key_taken", message: keyTaken(key, prepared.domain.slug) };
    }
    taken.add(nameOf(tried));
  }
  if (link) taken.add(`origin ${link}`);
  const tags = prepared.tags.map(({ name }) => name);
  return { ok: true, body, domain: prepared.domain.slug, key: body.key ? key : null, tags };
}

function keyTaken(key: string, slug: string): string {
  return `key: "${key}" is already taken on ${slug}. Choose another one.`;
}
