/**
 * The link that visitors of a missing slug may have meant: one whose slug somebody chose, with few
 * different letters. Generated codes are not suggested, because a similar code is another link.
 */
import { distance } from "fastest-levenshtein";
import { presentId } from "#lib/basics/ids";
import { shortUrl } from "#lib/links/hosts";
import { rootKey } from "#lib/links/keys";
import { findVisibleLinks, type NamedLink, visibleLinks } from "#lib/links/visible-links";
import { pksOfCodes } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { MissedLink } from "./schema.ts";

export interface MissedRow {
  domainPk: number;
  key: string;
}

/** In alphabetical order, on each side of the slug: most typos are not in its first letters. */
const neighborsMax = 100;
const candidatesMax = 5;
const editsMax = 2;
const charsPerEdit = 3;

/** In the order of the rows. `domains`: their hosts by pk. */
export async function suggestLinks(
  scope: WorkspaceScope,
  domains: ReadonlyMap<number, string>,
  rows: readonly MissedRow[],
): Promise<MissedLink["suggestion"][]> {
  if (rows.length === 0) return [];
  const named = await findNear(rows);
  // A deleted link with a generated code can come back.
  const codes = pksOfCodes(rows.map(({ key }) => key));
  const candidates = rows.map((_, at) => {
    const code = codes[at];
    return [...(code === undefined ? [] : [code]), ...(named.get(at) ?? [])];
  });
  // defence: missed-links-suggest-visible
  const seen = await visibleLinks(scope);
  const links = await findVisibleLinks(scope.workspacePk, candidates.flat(), seen);
  return rows.map(({ domainPk, key }, at) => {
    const visible = (candidates[at] ?? []).flatMap((pk) => links.get(pk) ?? []);
    const own = visible.filter(({ slug }) => slug === domains.get(domainPk));
    const [best] = nearest(key, own);
    return best ? present(best) : null;
  });
}

function present({ link_id: id, slug, key, url }: NamedLink): MissedLink["suggestion"] {
  return { id: presentId("link", id), key, shortLink: shortUrl(slug, key), url };
}

interface NearRow {
  nth: number;
  key: string;
  pk: number;
}

/** The links with the most similar chosen slugs, by the position of the row. */
async function findNear(rows: readonly MissedRow[]): Promise<Map<number, number[]>> {
  const slugs = rows.map(({ key }) => bareOf(key));
  // Answered by alias_pkey, in the order of any collation.
  const found = await query<NearRow>(sql`
    SELECT wanted.nth, near.key, near.link_pk AS pk
    FROM unnest(
      ${rows.map(({ domainPk }) => domainPk)}::int[],
      ${slugs}::text[],
      ${slugs.map((slug) => slug.toUpperCase())}::text[]
    ) WITH ORDINALITY AS wanted (domain_pk, key, upper_key, nth)
    CROSS JOIN LATERAL (
      (SELECT key, link_pk
        FROM alias
        WHERE domain_pk = wanted.domain_pk AND key >= wanted.key
        ORDER BY key
        LIMIT ${neighborsMax})
      UNION
      (SELECT key, link_pk
        FROM alias
        WHERE domain_pk = wanted.domain_pk AND key < wanted.key
        ORDER BY key DESC
        LIMIT ${neighborsMax})
      UNION
      SELECT key, link_pk
      FROM alias
      WHERE domain_pk = wanted.domain_pk AND key IN (lower(wanted.key), wanted.upper_key)
    ) AS near
    WHERE near.key <> ${rootKey}
      AND abs(length(near.key) - length(wanted.key)) <= ${editsMax + 1}`);
  const near = new Map<number, NearRow[]>();
  for (const row of found) near.set(row.nth - 1, [...(near.get(row.nth - 1) ?? []), row]);
  return new Map(
    [...near].map(([at, own]) => {
      const best = nearest(rows[at]?.key ?? "", own).slice(0, candidatesMax);
      return [at, best.map(({ pk }) => pk)];
    }),
  );
}

/** Leaves out what is too different, and begins with the most similar. */
function nearest<Named extends { key: string }>(key: string, named: readonly Named[]): Named[] {
  const wanted = bareOf(key).toLowerCase();
  const most = Math.min(editsMax, Math.floor(wanted.length / charsPerEdit));
  return named
    .map((one) => ({ one, edits: one.key === key ? -1 : editsBetween(wanted, one.key) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits)
    .map(({ one }) => one);
}

function editsBetween(wanted: string, key: string): number {
  return distance(wanted, bareOf(key).toLowerCase());
}

/** Messages often end in a period or bracket after a link. */
function bareOf(key: string): string {
  return key.replace(/[\p{P}\p{S}]+$/u, "") || key;
}
