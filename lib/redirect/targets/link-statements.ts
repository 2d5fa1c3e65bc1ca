import { type Connection, query } from "#lib/platform/postgres";
import { type LinkRow, linkColumns } from "./link-columns.ts";

export interface Wanted {
  entry: string;
  domainPk: number;
  key: string;
  /** Set if the key is a code. */
  pk: number | undefined;
}

export type Found = LinkRow & { entry: string };

/** A prepared statement that reads the links with these pks. Answered by link_pkey. */
export function linksStatement(name: string, pks: string) {
  return {
    name,
    text: `
      SELECT ${linkColumns}, link.key
      FROM link
      WHERE link.pk = ANY(${pks})
        AND link.workspace_pk IS NOT NULL
        AND link.url <> ''`,
  };
}

// A subquery hides how many pks there are, so PostgreSQL keeps one plan. Otherwise it expects ten pks in a kept plan and makes a
// new plan for each statement with fewer, which takes twice as long as the statement.
const codedStatement = linksStatement("redirect-links", "(SELECT $1::bigint[])::bigint[]");

export function readCoded(wanted: readonly Wanted[], on: Connection | undefined): Promise<Found[]> {
  return readLinks(codedStatement, wanted, on);
}

/** Omits a link that was renamed after its pk was read. */
export async function readLinks(
  statement: { name: string; text: string },
  wanted: readonly Wanted[],
  on: Connection | undefined,
): Promise<Found[]> {
  const pks = wanted.flatMap(({ pk }) => pk ?? []);
  if (pks.length === 0) return [];
  const rows = await query.on(on).query<LinkRow & { key: string }>({ ...statement, values: [pks] });
  const byPk = new Map(rows.map((row) => [row.pk, row]));
  return wanted.flatMap(({ entry, domainPk, key, pk }) => {
    const row = pk === undefined ? undefined : byPk.get(pk);
    // defence: lost-name-apart
    return row?.domain_pk === domainPk && row.key === key ? [{ ...row, entry }] : [];
  });
}

// Answered by alias_pkey.
export const ownersText = `
  SELECT wanted.entry, alias.link_pk
  FROM unnest($1::text[], $2::int[], $3::text[]) AS wanted (entry, domain_pk, key)
  JOIN alias ON alias.domain_pk = wanted.domain_pk AND alias.key = wanted.key`;

// Answered by alias_pkey and link_pkey. Only root links may have no URL.
const namedText = `
  SELECT named.entry, ${linkColumns}
  FROM (${ownersText}) AS named
  JOIN link ON link.pk = named.link_pk
  WHERE link.url <> ''`;

export function readNamed(wanted: readonly Wanted[], on: Connection | undefined): Promise<Found[]> {
  return query
    .on(on)
    .query<Found>({ name: "redirect-links-named", text: namedText, values: namesOf(wanted) });
}

export function namesOf(wanted: readonly Wanted[]): [string[], number[], string[]] {
  return [
    wanted.map(({ entry }) => entry),
    wanted.map(({ domainPk }) => domainPk),
    wanted.map(({ key }) => key),
  ];
}
