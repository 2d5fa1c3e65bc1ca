/**
 * The DNS records that assign a domain to its workspace, and the problems with the records found.
 * Pure: dns-lookup.ts has the queries.
 *
 * The TXT record alone proves ownership. `traffic` is where visits arrive: `here` with a CNAME to
 * this instance or with only its addresses, `elsewhere` with other addresses, `none` without any.
 * docs/decisions/0006-domain-verification.md explains why a verified domain stays active when its
 * traffic goes elsewhere.
 */
import { isIPv6 } from "node:net";
import { getDomain } from "tldts";
import { displayValues, normalizeIp, normalizeName, ownershipRecord } from "#lib/platform/dns";
import type { DnsRecord, DomainProblem } from "./schema.ts";

/** Where domains should point. Both are empty on localhost, which DNS cannot reach. */
export interface DnsTarget {
  name: string | undefined;
  addresses: readonly string[];
}

export type DomainTraffic = "here" | "elsewhere" | "none";

/** The stored DNS results of a domain. Only definite answers are stored. */
export interface Findings {
  owned: boolean;
  traffic: DomainTraffic;
  txt: string[];
  cnames: string[];
  addresses: string[];
  taken?: true;
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

/** Whether the name is the zone itself, which cannot have a CNAME. */
export function isApex(host: string): boolean {
  return getDomain(host) === host;
}

/** The required records, each with what was found. `ok` is null while unknown. */
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

export function isVerified(findings: Findings, target: DnsTarget): boolean {
  if (!findings.owned) return false;
  const nowhere = target.name === undefined && target.addresses.length === 0;
  return nowhere || findings.traffic !== "none";
}

export function isGone({ owned, traffic }: Findings): boolean {
  return !owned && traffic !== "here";
}
