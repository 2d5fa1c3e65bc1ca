/**
 * The DNS records that assign a domain to its workspace, and the problems of those found. Pure: queries are in
 * dns-lookup.ts.
 *
 * The TXT record alone proves ownership. Traffic is where visits arrive: `here` by a CNAME to this instance or by
 * addresses that are all its own, `elsewhere` at other addresses, `none` without any address.
 * docs/decisions/0006-domain-verification.md explains why a verified domain is active although its traffic goes
 * elsewhere.
 */
import { isIPv6 } from "node:net";
import { getDomain } from "tldts";
import { displayValues, normalizeIp, normalizeName } from "#lib/platform/dns";
import type { DnsRecord, DomainProblem } from "./schema.ts";

/** Where domains of this instance should point. Neither: it is on localhost, which DNS cannot reach. */
export interface DnsTarget {
  name: string | undefined;
  addresses: readonly string[];
}

export type DomainTraffic = "here" | "elsewhere" | "none";

/** The stored DNS results of a domain; only definite answers. */
export interface Findings {
  owned: boolean;
  traffic: DomainTraffic;
  txt: string[];
  cnames: string[];
  addresses: string[];
  /** Another workspace serves the host. */
  taken?: true;
}

export function ownershipRecord(host: string, token: string): { name: string; value: string } {
  return { name: `_fuxi.${host}`, value: `fuxi-verify=${token}` };
}

/** Some DNS panels keep quotes that were pasted along. */
export function provesOwnership(texts: readonly string[], value: string): boolean {
  return texts.some((text) => text.trim().replace(/^"(.*)"$/, "$1") === value);
}

export function trafficOf(
  cnames: readonly string[],
  addresses: readonly string[],
  target: DnsTarget,
): DomainTraffic {
  if (target.name !== undefined && cnames.includes(normalizeName(target.name))) return "here";
  if (addresses.length === 0) return "none";
  const ours = new Set(target.addresses.map(normalizeIp));
  return addresses.every((address) => ours.has(normalizeIp(address))) ? "here" : "elsewhere";
}

/** True for a name that cannot have a CNAME, because the zone itself has records there. */
export function isApex(host: string): boolean {
  return getDomain(host) === host;
}

/** The required records, each with what was found; `ok: null` while unknown. */
export function recordsOf(
  host: string,
  token: string | undefined,
  target: DnsTarget,
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
    found: displayValues(findings?.txt ?? []),
    ok: findings?.owned ?? null,
  };
}

function trafficRecords(host: string, target: DnsTarget, findings: Findings | undefined) {
  const found = displayValues([...(findings?.cnames ?? []), ...(findings?.addresses ?? [])]);
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

/** The problems of the findings, most important first. */
export function problemsOf(findings: Findings, target: DnsTarget): DomainProblem[] {
  const problems: DomainProblem[] = [];
  if (findings.taken) problems.push("taken");
  if (!findings.owned)
    problems.push(findings.txt.length > 0 ? "ownership_wrong" : "ownership_missing");
  if (target.name === undefined && target.addresses.length === 0) problems.push("target_unknown");
  else if (findings.traffic === "none") problems.push("traffic_missing");
  else if (findings.traffic === "elsewhere") problems.push("traffic_elsewhere");
  return problems;
}

/** Whether a claim can be activated. */
export function isVerified(findings: Findings, target: DnsTarget): boolean {
  if (!findings.owned) return false;
  const nowhere = target.name === undefined && target.addresses.length === 0;
  return nowhere || findings.traffic !== "none";
}

/** Whether nothing is left that assigned the domain to its workspace. */
export function isGone({ owned, traffic }: Findings): boolean {
  return !owned && traffic !== "here";
}
