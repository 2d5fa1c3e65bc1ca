/** The redirect's query of links that no cache has, for many entries at once. */
import { areLinksApart } from "#lib/links/distribution";
import { parseTargetEntry } from "#lib/links/link-cache";
import type { LoadedValue } from "#lib/platform/cache-sync";
import { pksOfCodes } from "#lib/platform/codes";
import { type Connection, query } from "#lib/platform/postgres";
import { type LinkRow, linkColumns, targetOfRow } from "./link-columns.ts";
import { compileTarget, type Target } from "./target.ts";

interface Wanted {
  entry: string;
  domainPk: number;
  key: string;
  /** -1, which no row has, for a key that is not a code. */
  pk: number;
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
    pk: pks[at] ?? -1,
  }));
  const rows = (await areLinksApart(on))
    ? await findApart(wanted, on)
    : await findJoined(wanted, on);
  return new Map(
    rows.map((row) => [
      row.entry,
      { revision: row.revision, value: compileTarget(targetOfRow(row)) },
    ]),
  );
}

// Answered by link_pkey (a generated code is its pk) and by alias_pkey. A malformed key costs the same two lookups as any
// other.
// Only the root link of a domain may be without a url: the placeholder of the domain replaces it.
const targetsText = `
  WITH wanted AS (
    SELECT *
    FROM unnest($1::text[], $2::int[], $3::text[], $4::bigint[]) AS w (entry, domain_pk, key, pk)
  )
  SELECT wanted.entry, ${linkColumns}
  FROM wanted
  JOIN link ON link.pk = wanted.pk
  WHERE link.pk = ANY($4::bigint[])
    AND link.workspace_pk IS NOT NULL
    AND link.domain_pk = wanted.domain_pk
    AND link.key = wanted.key
  UNION ALL
  SELECT named.entry, ${linkColumns}
  FROM (
    SELECT wanted.entry, alias.link_pk
    FROM wanted
    JOIN alias ON alias.domain_pk = wanted.domain_pk AND alias.key = wanted.key
  ) AS named
  JOIN link ON link.pk = named.link_pk
  WHERE link.url <> ''`;

function findJoined(wanted: readonly Wanted[], on: Connection | undefined): Promise<Found[]> {
  return query<Found>(
    {
      name: "redirect-targets",
      text: targetsText,
      values: [
        wanted.map(({ entry }) => entry),
        wanted.map(({ domainPk }) => domainPk),
        wanted.map(({ key }) => key),
        wanted.map(({ pk }) => pk),
      ],
    },
    on,
  );
}

/** A generated code is found by its pk alone; the table of names is on the coordinator. */
async function findApart(wanted: readonly Wanted[], on: Connection | undefined): Promise<Found[]> {
  const coded = await readLinks(
    wanted.filter(({ pk }) => pk >= 0),
    on,
  );
  const found = new Set(coded.map(({ entry }) => entry));
  const others = wanted.filter(({ entry }) => !found.has(entry));
  if (others.length === 0) return coded;
  const owners = await query<{ entry: string; link_pk: number }>(
    {
      name: "redirect-names",
      // Answered by alias_pkey.
      text: `
      SELECT wanted.entry, alias.link_pk
      FROM unnest($1::text[], $2::int[], $3::text[]) AS wanted (entry, domain_pk, key)
      JOIN alias ON alias.domain_pk = wanted.domain_pk AND alias.key = wanted.key`,
      values: [
        others.map(({ entry }) => entry),
        others.map(({ domainPk }) => domainPk),
        others.map(({ key }) => key),
      ],
    },
    on,
  );
  const pks = new Map(owners.map(({ entry, link_pk: pk }) => [entry, pk]));
  const named = others.flatMap((name) => {
    const pk = pks.get(name.entry);
    return pk === undefined ? [] : [{ ...name, pk }];
  });
  return [...coded, ...(await readLinks(named, on))];
}

type Read = LinkRow & { key: string };

/** A link that was renamed after its pk was read is not among them. */
async function readLinks(wanted: readonly Wanted[], on: Connection | undefined): Promise<Found[]> {
  if (wanted.length === 0) return [];
  const rows = await query<Read>(
    {
      name: "redirect-links",
      // Answered by link_pkey.
      text: `
      SELECT ${linkColumns}, link.key
      FROM link
      WHERE link.pk = ANY($1::bigint[])
        AND link.workspace_pk IS NOT NULL
        AND link.url <> ''`,
      values: [wanted.map(({ pk }) => pk)],
    },
    on,
  );
  const byPk = new Map(rows.map((row) => [row.pk, row]));
  return wanted.flatMap(({ entry, domainPk, key, pk }) => {
    const row = byPk.get(pk);
    return row?.domain_pk === domainPk && row.key === key ? [{ ...row, entry }] : [];
  });
}
