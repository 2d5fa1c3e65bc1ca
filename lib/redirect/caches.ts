/** Links and hosts that this process knows. */
import { CoherentCache } from "#lib/coherence";
import { config } from "#lib/config";
import { decodeTarget, encodeTarget } from "#lib/targets";
import { type Host, loadHosts, loadTargets } from "./store.ts";
import { compileTarget, type Target } from "./target.ts";

const hostsMax = 50_000;
const entryAgeMaxMs = 60_000;

export const targets = new CoherentCache<Target>({
  name: "targets",
  entriesMax: () => config().FUXI_LINKS_IN_MEMORY,
  ageMaxMs: entryAgeMaxMs,
  load: loadTargets,
  codec: { encode: encodeTarget, decode: compileLine },
  mayServeStale: (target) => target.plain,
});

export const hosts = new CoherentCache<Host>({
  name: "hosts",
  entriesMax: () => hostsMax,
  ageMaxMs: entryAgeMaxMs,
  load: loadHosts,
  mayServeStale: () => true,
});

function compileLine(payload: string): Target | undefined {
  const row = decodeTarget(payload);
  return row && compileTarget(row);
}
