/**
 * Which DNS records make a domain its workspace's, and what is said of those that were found. Pure: asking is looking.ts.
 *
 * The TXT record proves whose the domain is, and nothing else does. Traffic is where visits arrive: `here` by a CNAME to
 * this installation or by addresses that are all its own, `elsewhere` at other addresses, `none` at no address at all.
 * docs/decisions/0006-domain-verification.md says why a verified domain is active although its traffic goes elsewhere.
 */
import { isIPv6 } from "node:net";
import { getDomain } from "tldts";
import { bareAddress, bareName, shownOf } from "#lib/platform/dns";
import type { DnsRecord, Problem } from "./schema.ts";

/** Where the domains of this installation are to lead. Neither: it is on localhost, where DNS leads nobody. */
export interface Target {
  name: string | undefined;
  addresses: readonly string[];
}

export type Traffic = "here" | "elsewhere" | "none";

/** What DNS said of a domain, as it is stored; only definite answers. */
export interface Findings {
  owned: boolean;
  traffic: Traffic;
  txt: string[];
  cnames: string[];
  addresses: string[];
  /** Another workspace serves the host. */
  taken?: true;
}

export function ownershipRecord(host: string, token: string): { name: string; value: string } {
  return { name: `_fuxi.${host}`, value: `fuxi-verify=${token}` };
}

/** Some panels keep the quotes that people copy along. */
export function provesOwnership(texts: readonly string[], value: string): boolean {
  return texts.some((text) => text.trim().replace(/^"(.*)"$/, "$1") === value);
}

export function trafficOf(
  cnames: readonly string[],
  addresses: readonly string[],
  target: Target,
): Traffic {
  if (target.name !== undefined && cnames.includes(bareName(target.name))) return "here";
  if (addresses.length === 0) return "none";
  const ours = new Set(target.addresses.map(bareAddress));
  return addresses.every((address) => ours.has(bareAddress(address))) ? "here" : "elsewhere";
}

/** True for a name at which no CNAME may stand, because the zone itself has records there. */
export function isApex(host: string): boolean {
  return getDomain(host) === host;
}

/** Records to make, with what was found of each; `ok: null` while nothing is known. */
export function recordsOf(
  host: string,
  token: string | undefined,
  target: Target,
  findings: Findings | undefined,
): DnsRecord[] {
  return [
    ...(token === undefined ? [] : [ownership(host, token, findings)]),
    ...trafficRecords(host, target, findings),
  ];
}

function ownership(host: string, token: string, findings: Findings | undefined): DnsRecord {
  return {
    purpose: "ownership",
    type: "TXT",
    ...ownershipRecord(host, token),
    found: shownOf(findings?.txt ?? []),
    ok: findings?.owned ?? null,
  };
}

function trafficRecords(host: string, target: Target, findings: Findings | undefined): DnsRecord[] {
  const found = shownOf([...(findings?.cnames ?? []), ...(findings?.addresses ?? [])]);
  const ok = findings ? findings.traffic === "here" : null;
  const record = (type: DnsRecord["type"], value: string): DnsRecord => ({
    purpose: "traffic",
    type,
    name: host,
    value,
    found,
    ok,
  });
  const { name, addresses } = target;
  if (name !== undefined && !isApex(host)) return [record("CNAME", name)];
  if (addresses.length > 0) {
    return addresses.map((address) => record(isIPv6(address) ? "AAAA" : "A", address));
  }
  return name === undefined ? [] : [record("ALIAS", name)];
}

/** What there is to say of findings, the most important first. */
export function problemsOf(findings: Findings, target: Target): Problem[] {
  const problems: Problem[] = [];
  if (findings.taken) problems.push("taken");
  if (!findings.owned)
    problems.push(findings.txt.length > 0 ? "ownership_wrong" : "ownership_missing");
  if (target.name === undefined && target.addresses.length === 0) problems.push("target_unknown");
  else if (findings.traffic === "none") problems.push("traffic_missing");
  else if (findings.traffic === "elsewhere") problems.push("traffic_elsewhere");
  return problems;
}

/** Whether a claim may serve. */
export function verifies(findings: Findings, target: Target): boolean {
  if (!findings.owned) return false;
  const nowhere = target.name === undefined && target.addresses.length === 0;
  return nowhere || findings.traffic !== "none";
}

/** Whether nothing is left that made a domain its workspace's. */
export function isGone({ owned, traffic }: Findings): boolean {
  return !owned && traffic !== "here";
}
