/** Cached links and hosts of this process. */

import type { ShownForm } from "#lib/links/forms/schema";
import { decodeTarget, encodeTarget } from "#lib/links/link-cache";
import { CoherentCache, Outage } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import type { CompiledBranding } from "./branding-style.ts";
import { loadPlans, type PlanUses } from "./plan-store.ts";
import {
  type AppFiles,
  type Host,
  loadAppFiles,
  loadBrandings,
  loadForms,
  loadForwarding,
  loadHosts,
} from "./store.ts";
import { compileTarget, type Target } from "./target.ts";
import { loadTargets } from "./targets-store.ts";

const hostsMax = 50_000;
/** With two texts of at most 100,000 characters each. */
const appFilesMax = 500;
/** Some 6 KB each, with the pages rendered with it. */
const brandingsMax = 1_000;
/** Some 2 KB each. */
const formsMax = 5_000;
/** One flag each. */
const workspacesMax = 100_000;
const entryAgeMaxMs = 60_000;
const outage = new Outage();

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

export const hosts = new CoherentCache<Host>({
  name: "hosts",
  entriesMax: () => hostsMax,
  ageMaxMs: entryAgeMaxMs,
  load: loadHosts,
  mayServeStale: () => true,
  replicas: "first",
  outage,
});

/** Separate from the hosts, because they are large and rarely requested; a change of a domain invalidates both. */
export const appFiles = new CoherentCache<AppFiles>({
  name: "app_files",
  entriesMax: () => appFilesMax,
  ageMaxMs: entryAgeMaxMs,
  load: loadAppFiles,
  mayServeStale: () => true,
  replicas: "first",
  outage,
});

/** Most workspaces have none, which is cached as well. */
export const brandings = new CoherentCache<CompiledBranding>({
  name: "looks",
  entriesMax: () => brandingsMax,
  ageMaxMs: entryAgeMaxMs,
  load: loadBrandings,
  mayServeStale: () => true,
  replicas: "first",
  outage,
});

/** Published ones. */
export const forms = new CoherentCache<ShownForm>({
  name: "forms",
  entriesMax: () => formsMax,
  ageMaxMs: entryAgeMaxMs,
  load: loadForms,
  mayServeStale: () => true,
  replicas: "first",
  outage,
});

/** Whether the links of a workspace forward query parameters, where a link does not say. */
export const forwarding = new CoherentCache<boolean>({
  name: "forwarding",
  entriesMax: () => workspacesMax,
  ageMaxMs: entryAgeMaxMs,
  load: loadForwarding,
  mayServeStale: () => true,
  replicas: "first",
  outage,
});

/** What the plans of workspaces include. */
export const plans = new CoherentCache<PlanUses>({
  name: "plans",
  entriesMax: () => workspacesMax,
  ageMaxMs: entryAgeMaxMs,
  load: loadPlans,
  mayServeStale: () => true,
  replicas: "first",
  outage,
});

function compileLine(payload: string): Target | undefined {
  const row = decodeTarget(payload);
  return row && compileTarget(row);
}
