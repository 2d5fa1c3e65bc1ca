import { chooseForm } from "#lib/links/distribution";
import { decodeTarget, encodeTarget, parseTargetEntry } from "#lib/links/link-cache";
import { CoherentCache, type LoadedValue } from "#lib/platform/cache-sync";
import { pksOfCodes } from "#lib/platform/codes";
import { config } from "#lib/platform/config";
import type { Connection } from "#lib/platform/postgres";
import { readCodedApart, readNamedApart } from "./apart.ts";
import { entryAgeMaxMs, outage } from "./cache.ts";
import { targetOfRow } from "./link-columns.ts";
import { type Found, readCoded, readNamed, type Wanted } from "./link-statements.ts";
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

export async function loadTargets(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<Target>>> {
  const names = entries.map(parseTargetEntry);
  const pks = pksOfCodes(names.map(({ key }) => key));
  const wanted = names.map((name, at) => ({ ...name, entry: entries[at] ?? "", pk: pks[at] }));
  const rows = await findRows(wanted, on);
  return new Map(
    rows.map((row) => [
      row.entry,
      { revision: row.revision, value: compileTarget(targetOfRow(row)) },
    ]),
  );
}

const chooseStatements = chooseForm({
  one: { readCoded, readNamed },
  apart: { readCoded: readCodedApart, readNamed: readNamedApart },
});

/** Finds generated codes by their pk, because most links that are read have a code. */
async function findRows(wanted: readonly Wanted[], on: Connection | undefined): Promise<Found[]> {
  const statements = await chooseStatements(on);
  const coded = await statements.readCoded(wanted, on);
  const found = new Set(coded.map(({ entry }) => entry));
  const others = wanted.filter(({ entry }) => !found.has(entry));
  return others.length === 0 ? coded : [...coded, ...(await statements.readNamed(others, on))];
}
