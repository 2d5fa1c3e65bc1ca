import { type Connection, query } from "#lib/platform/postgres";
import { linksStatement, namesOf, ownersText, readLinks, type Wanted } from "./link-statements.ts";

// Citus has to see the pks to know their servers.
const statement = linksStatement("redirect-links-apart", "$1::bigint[]");

export function readCodedApart(wanted: readonly Wanted[], on: Connection | undefined) {
  return readLinks(statement, wanted, on);
}

/** The table of names is on the coordinator. */
export async function readNamedApart(wanted: readonly Wanted[], on: Connection | undefined) {
  const owners = await query.on(on).query<{ entry: string; link_pk: number }>({
    name: "redirect-names",
    text: ownersText,
    values: namesOf(wanted),
  });
  const pks = new Map(owners.map(({ entry, link_pk: pk }) => [entry, pk]));
  const coded = wanted.map((name) => ({ ...name, pk: pks.get(name.entry) }));
  return await readCodedApart(coded, on);
}
