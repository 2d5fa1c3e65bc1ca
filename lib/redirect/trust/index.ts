/**
 * Banned hosts, banned workspaces and hosts on the warning list, in the memory of this process.
 *
 * A visit never searches them. Whether a target is banned or warned about is computed at its first
 * visit in a generation. A change of a ban or of the list starts the next generation, so that each
 * target is checked again at its next visit. A plain target without a ban or warning stores the
 * number of the generation, and a cached visit compares nothing else (`plainAt`).
 *
 * The revisions are compared with each heartbeat, in memory while invalidations arrive. Without
 * Redis they are read from PostgreSQL twice a second, and if PostgreSQL does not answer either, the
 * last known bans stay.
 */
import {
  type AbuseReason,
  abuseReasonOf,
  findReputationService,
  findThreat,
  type ReputationService,
  type Threat,
} from "#lib/basics/abuse/schema";
import { compileList, findOfHost, type HostList, pagesOf } from "#lib/basics/urls";
import { CoherentCache, channel, listsEntry, trustEntries } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { query } from "#lib/platform/postgres";
import { onClose } from "#lib/platform/processes";
import type { Target } from "#lib/redirect/targets";

export interface Suspicion {
  threat: Threat;
  service: ReputationService;
}

/** What a reputation service says about a destination, and until when that may be shown. */
interface TimedSuspicion extends Suspicion {
  until: number;
}

const entryAgeMaxMs = 60_000;
const warningsEntry = listsEntry(null);

const revisions = new CoherentCache<number>({
  // Three in each generation, or they would evict each other.
  entriesMax: () => 6,
  ageMaxMs: entryAgeMaxMs,
  load: async () => {
    const { bans, warnings, reputation } = await loadTrustRevisions();
    return new Map([
      [trustEntries.bans, { revision: bans, value: bans }],
      [warningsEntry, { revision: warnings, value: warnings }],
      [trustEntries.reputation, { revision: reputation, value: reputation }],
    ]);
  },
});

/** Never 0, which a target has before its first check. */
export let generation = 1;

let bannedHosts: ReadonlyMap<string, AbuseReason> = new Map();
let bannedWorkspaces: ReadonlyMap<number, AbuseReason> = new Map();
let warnings: HostList | undefined;
let suspected: ReadonlyMap<string, TimedSuspicion> = new Map();
const noUrls: readonly string[] = [];
let known = "";
let endChecks: (() => void) | undefined;

export async function openTrust(): Promise<void> {
  if (endChecks) return;
  await followChanges();
  let busy = false;
  endChecks = channel.onBeat(() => {
    if (busy) return;
    busy = true;
    followChanges()
      .catch((error: unknown) => log.debug({ event: "bans.unavailable", error: String(error) }))
      .finally(() => {
        busy = false;
      });
  });
  onClose("bans", () => {
    endChecks?.();
    endChecks = undefined;
  });
}

async function followChanges(): Promise<void> {
  const [bans, lists, reputation] = await Promise.all([
    revisions.find(trustEntries.bans),
    revisions.find(warningsEntry),
    revisions.find(trustEntries.reputation),
  ]);
  const now = `${bans} ${lists} ${reputation}`;
  if (now === known) return;
  const [rows, list, verdicts] = await Promise.all([
    loadBans(),
    loadWarningList(),
    loadSuspected(),
  ]);
  const hosts = new Map<string, AbuseReason>();
  const workspaces = new Map<number, AbuseReason>();
  for (const { host, workspace_pk: workspacePk, reason } of rows) {
    if (host !== null) hosts.set(host, abuseReasonOf(reason));
    if (workspacePk !== null) workspaces.set(workspacePk, abuseReasonOf(reason));
  }
  const fixed = config().FUXI_DESTINATIONS_WARN;
  // defence: warning-list-subdomains
  const compiled = await compileList("host and subdomains", fixed, list);
  bannedHosts = hosts;
  bannedWorkspaces = workspaces;
  warnings = compiled.size > 0 ? compiled : undefined;
  suspected = new Map(
    verdicts.flatMap(({ url, threat, service, warn_until: until }) => {
      const known = findThreat(threat);
      const source = findReputationService(service);
      return known && source ? [[url, { threat: known, service: source, until: +until }]] : [];
    }),
  );
  known = now;
  // defence: host-ban-clears-cache
  generation += 1;
}

/** Checks a target once per generation. Call it before reading `ban`, `warned` or `plainAt`. */
export function checkTarget(target: Target): void {
  if (target.checkedAt === generation) return;
  const isCompared = bannedHosts.size > 0 || warnings !== undefined || suspected.size > 0;
  const urls = isCompared ? urlsOf(target) : noUrls;
  target.ban =
    target.extras?.ban ?? bannedWorkspaces.get(target.workspacePk) ?? findBannedUrl(urls);
  const now = Date.now();
  target.warned = urls.some((url) => findWarning(url, now) !== undefined);
  target.checkedAt = generation;
  target.plainAt = target.plain && !target.ban && !target.warned ? generation : 0;
}

/** Why a destination of a domain is banned, or the workspace of the domain. */
export function findBan(workspacePk: number | undefined, url: string): AbuseReason | undefined {
  return bannedWorkspaces.get(workspacePk ?? 0) ?? findBannedUrl([url]);
}

function findBannedUrl(urls: readonly string[]): AbuseReason | undefined {
  if (bannedHosts.size === 0) return undefined;
  for (const page of urls.flatMap(pagesOf)) {
    const reason = findOfHost(bannedHosts, hostnameOf(page));
    if (reason) return reason;
  }
  return undefined;
}

/** Why visitors are warned before a URL: a page is on the warning list, or suspected. */
export function findWarning(url: string, now: number): "list" | Suspicion | undefined {
  if (!warnings && suspected.size === 0) return undefined;
  const list = warnings;
  const pages = pagesOf(url);
  if (list && pages.some((page) => list.matches(hostnameOf(page), page))) return "list";
  for (const page of pages) {
    const found = suspected.get(page);
    if (found && now < found.until) return found;
  }
  return undefined;
}

/** A final dot does not change the host. */
function hostnameOf(url: string): string {
  // defence: host-ban-final-dot
  return new URL(url).hostname.replace(/\.$/, "");
}

/** Every URL that a visitor may be sent to. */
function urlsOf({ url, expiredUrl, extras }: Target): string[] {
  const { ios, android, geo, test, rules } = extras ?? {};
  const all = [
    url,
    expiredUrl,
    ios ?? "",
    android ?? "",
    ...Object.values(geo ?? {}),
    ...(test?.variants.map((variant) => variant.url) ?? []),
    // defence: host-ban-every-destination
    ...(rules?.map((rule) => rule.url) ?? []),
  ];
  return all.filter((one) => one !== "");
}

/** About 200 bytes each. */
const suspectedMax = 100_000;

interface TrustRevisions {
  bans: number;
  warnings: number;
  reputation: number;
}

async function loadTrustRevisions(): Promise<TrustRevisions> {
  const [row] = await query<TrustRevisions>({
    name: "redirect-trust",
    // Answered by ban_revision and destination_list_instance; reputation_service has one row.
    text: `
      SELECT
        (SELECT coalesce(max(revision), 0) FROM ban) AS bans,
        (
          SELECT coalesce(max(revision), 0)
          FROM destination_list
          WHERE kind = 'warn'
            AND workspace_pk IS NULL
        ) AS warnings,
        (SELECT coalesce(max(revision), 0) FROM reputation_service) AS reputation`,
    values: [],
  });
  return row ?? { bans: 0, warnings: 0, reputation: 0 };
}

interface SuspectedRow {
  url: string;
  threat: string;
  service: string | null;
  warn_until: Date;
}

async function loadSuspected(): Promise<SuspectedRow[]> {
  if (config().FUXI_REPUTATION === "off") return [];
  return await query<SuspectedRow>({
    name: "redirect-suspected",
    // Answered by link_reputation_warned.
    text: `
      SELECT url, threat, service, warn_until
      FROM link_reputation
      WHERE threat IS NOT NULL
        AND warn_until > now()
      ORDER BY warn_until
      LIMIT $1`,
    values: [suspectedMax],
  });
}

interface BanRow {
  host: string | null;
  workspace_pk: number | null;
  reason: string;
}

/** The active bans of hosts and workspaces. Bans of links are in their rows. */
function loadBans() {
  return query<BanRow>({
    name: "redirect-bans",
    // Answered by ban_active.
    text: `
      SELECT
        CASE WHEN kind = 'host' THEN subject END AS host,
        CASE WHEN kind = 'workspace' THEN workspace_pk END AS workspace_pk,
        reason
      FROM ban
      WHERE kind IN ('host', 'workspace')
        AND lifted_at IS NULL`,
    values: [],
  });
}

/** The entries of the warning list, one per line of each text. */
async function loadWarningList(): Promise<string[]> {
  const [row] = await query<{ entries: string; source_entries: string }>({
    name: "redirect-warnings",
    // Answered by destination_list_instance.
    text: `
      SELECT entries, source_entries
      FROM destination_list
      WHERE kind = 'warn'
        AND workspace_pk IS NULL`,
    values: [],
  });
  const hasSource = config().FUXI_DESTINATIONS_WARN_SOURCE !== undefined;
  return [row?.entries ?? "", hasSource ? (row?.source_entries ?? "") : ""];
}
