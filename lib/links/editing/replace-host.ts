/** Moves the destinations of a link to another host. */
import { type DestinationRules, loadDestinationRules } from "#lib/destinations/lists";
import { findRefusedUrl, type LinkFailure, urlsOfRow } from "#lib/links/fields";
import { findShortHosts } from "#lib/links/hosts";
import type { FoundLink } from "#lib/links/presenting";
import { type GroupStep, type ReplaceHost, withHost } from "./schema.ts";

export interface HostRules {
  shortHosts: ReadonlySet<string>;
  destinations: DestinationRules;
}

/** Undefined if no step replaces a host. */
export async function loadHostRules(
  workspacePk: number,
  steps: readonly GroupStep[],
): Promise<HostRules | undefined> {
  const hosts = steps.flatMap(({ replaceHost }) => replaceHost?.to ?? []);
  if (hosts.length === 0) return undefined;
  const [shortHosts, destinations] = await Promise.all([
    findShortHosts([...new Set(hosts)]),
    loadDestinationRules(workspacePk),
  ]);
  return { shortHosts, destinations };
}

/** Changes the row, unless the new destinations are refused. */
export function putHost(
  row: FoundLink,
  step: ReplaceHost | undefined,
  rules: HostRules | undefined,
): LinkFailure | undefined {
  if (!step || !rules) return undefined;
  const after = { ...row, ...withDestinations(row, (url) => replaced(url, step)) };
  const { expired_url: expiredUrl, test_variants: testVariants, ...rest } = after;
  // defence: replaced-hosts-are-allowed
  const refused = findRefusedUrl({ ...rest, expiredUrl, testVariants }, rules, row);
  if (refused) return refused;
  Object.assign(row, after);
  return undefined;
}

function replaced(url: string, step: ReplaceHost): string {
  return step.only && !step.only.includes(url) ? url : withHost(url, step);
}

type Destinations = Pick<
  FoundLink,
  "url" | "expired_url" | "ios" | "android" | "geo" | "rules" | "test_variants"
>;

function withDestinations(row: Destinations, change: (url: string) => string): Destinations {
  const changed = <One extends { url: string }>(one: One): One => ({
    ...one,
    url: change(one.url),
  });
  const geo = Object.entries(row.geo ?? {}).map(([country, url]) => [country, change(url)]);
  return {
    url: change(row.url),
    expired_url: row.expired_url && change(row.expired_url),
    ios: row.ios && change(row.ios),
    android: row.android && change(row.android),
    geo: row.geo && Object.fromEntries(geo),
    rules: row.rules?.map(changed) ?? null,
    test_variants: row.test_variants?.map(changed) ?? null,
  };
}

/** Undoes the change of these URLs only, because others may have been on the new host before. */
export function backToHost(
  before: FoundLink,
  after: FoundLink,
  steps: readonly GroupStep[],
): ReplaceHost | undefined {
  const had = new Set(urlsOfRow(before));
  const only = [...new Set(urlsOfRow(after))].filter((url) => !had.has(url));
  const step = steps.find(({ replaceHost }) => replaceHost)?.replaceHost;
  return step && only.length > 0 ? { from: step.to, to: step.from, only } : undefined;
}
