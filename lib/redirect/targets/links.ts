/** Links in memory, and the queries of those that no cache has, for many entries at once. */
import { areLinksApart } from "#lib/links/distribution";
import { decodeTarget, encodeTarget, parseTargetEntry } from "#lib/links/link-cache";
import { CoherentCache, type LoadedValue } from "#lib/platform/cache-sync";
import { pksOfCodes } from "#lib/platform/codes";
import { config } from "#lib/platform/config";
import { type Connection, query } from "#lib/platform/postgres";
import { entryAgeMaxMs, outage } from "./cache.ts";
import { type LinkRow, linkColumns, targetOfRow } from "./link-columns.ts";
import { compileTarget, type Target } from "./target.ts";

export const targets = new CoherentCache<Target>({
  name: "targets",
  entriesMax: () => config().FUXI_LINKS_IN_MEMORY,
  ageMaxMs: entryAgeMaxMs,
  load: loadTargets,
  codec: { encode: encodeTarget, decode: compileLine },
  mayServeStale: (target) => target.plain,
  replicas: "first",
  outage,
});

function compileLine(payload: string): Target | undefined {
  const row = decodeTarget(payload);
  return row && compileTarget(row);
}

interface Wanted {
  entry: string;
  domainPk: number;
  key: string;
  /** Of a key that is a code. */
  pk: number | undefined;
}

type Found = LinkRow & { entry: string };

export async function loadTargets(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<Target>>> {
  const names = entries.map(parseTargetEntry);
  const pks = pksOfCodes(names.map(({ key }) => key));
  const wanted = names.map((name, at) => ({
    ...name,
    entry: entries[at] ?? "",
    pk: pks[at],
  }));
  const rows = await findRows(wanted, on);
  return new Map(
    rows.map((row) => [
      row.entry,
      { revision: row.revision, value: compileTarget(targetOfRow(row)) },
    ]),
  );
}

/** A generated code is found by its pk, and only what is left by its name: most links that are read have a code. */
async function findRows(wanted: readonly Wanted[], on: Connection | undefined): Promise<Found[]> {
  const isApart = await areLinksApart(on);
  const coded = await readLinks(wanted, isApart, on);
  const found = new Set(coded.map(({ entry }) => entry));
  const others = wanted.filter(({ entry }) => !found.has(entry));
  if (others.length === 0) return coded;
  const named = isApart ? await findNamedApart(others, on) : await findNamed(others, on);
  return [...coded, ...named];
}

type Read = LinkRow & { key: string };

const linksOf = (pks: string) => `
  SELECT ${linkColumns}, link.key
  FROM link
  WHERE link.pk = ANY(${pks})
    AND link.workspace_pk IS NOT NULL
    AND link.url <> ''`;
// As the value of a subquery, whose length no plan knows, the pks lead to a plan that is kept. Otherwise PostgreSQL expects ten
// of them in a kept plan and makes another for each statement with fewer, in twice the time that the statement takes.
const linksText = linksOf("(SELECT $1::bigint[])::bigint[]");
// Citus has to see the pks to know their servers.
const linksApartText = linksOf("$1::bigint[]");

/** Answered by link_pkey. A link that was renamed after its pk was read is not among them. */
async function readLinks(
  wanted: readonly Wanted[],
  isApart: boolean,
  on: Connection | undefined,
): Promise<Found[]> {
  const pks = wanted.flatMap(({ pk }) => pk ?? []);
  if (pks.length === 0) return [];
  const [name, text] = isApart
    ? ["redirect-links-apart", linksApartText]
    : ["redirect-links", linksText];
  const rows = await query.on(on).query<Read>({ name, text, values: [pks] });
  const byPk = new Map(rows.map((row) => [row.pk, row]));
  return wanted.flatMap(({ entry, domainPk, key, pk }) => {
    const row = pk === undefined ? undefined : byPk.get(pk);
    // defence: lost-name-apart
    return row?.domain_pk === domainPk && row.key === key ? [{ ...row, entry }] : [];
  });
}

// Answered by alias_pkey.
const ownersText = `
  SELECT wanted.entry, alias.link_pk
  FROM unnest($1::text[], $2::int[], $3::text[]) AS wanted (entry, domain_pk, key)
  JOIN alias ON alias.domain_pk = wanted.domain_pk AND alias.key = wanted.key`;

// Answered by alias_pkey and link_pkey.
// Only the root link of a domain may be without a url: the placeholder of the domain replaces it.
const namedText = `
  SELECT named.entry, ${linkColumns}
  FROM (${ownersText}) AS named
  JOIN link ON link.pk = named.link_pk
  WHERE link.url <> ''`;

function findNamed(wanted: readonly Wanted[], on: Connection | undefined): Promise<Found[]> {
  return query
    .on(on)
    .query<Found>({ name: "redirect-links-named", text: namedText, values: namesOf(wanted) });
}

/** The table of names is on the coordinator. */
async function findNamedApart(
  wanted: readonly Wanted[],
  on: Connection | undefined,
): Promise<Found[]> {
  const owners = await query.on(on).query<{ entry: string; link_pk: number }>({
    name: "redirect-names",
    text: ownersText,
    values: namesOf(wanted),
  });
  const pks = new Map(owners.map(({ entry, link_pk: pk }) => [entry, pk]));
  const named = wanted.flatMap((name) => {
    const pk = pks.get(name.entry);
    return pk === undefined ? [] : [{ ...name, pk }];
  });
  return await readLinks(named, true, on);
}

function namesOf(wanted: readonly Wanted[]): [string[], number[], string[]] {
  return [
    wanted.map(({ entry }) => entry),
    wanted.map(({ domainPk }) => domainPk),
    wanted.map(({ key }) => key),
  ];
}
