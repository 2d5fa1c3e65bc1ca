import { isIP } from "node:net";
import { defaultHost, isLocal } from "#lib/links/hosts";
import { config } from "#lib/platform/config";
import {
  type DnsAnswer,
  type DnsQueries,
  ownershipRecord,
  provesOwnership,
  queryDns,
} from "#lib/platform/dns";
import { type DnsTarget, type Findings, trafficOf } from "./records.ts";

/** The instance’s own addresses rarely change, and every check needs them. */
const targetAgeMaxMs = 60_000;

let cached: { target: DnsTarget; askedAt: number } | undefined;

/** Where domains should point: as configured, otherwise to the instance itself. */
export async function findTarget(now = Date.now()): Promise<DnsTarget> {
  if (cached && now < cached.askedAt + targetAgeMaxMs) return cached.target;
  const target = await resolveTarget();
  cached = { target, askedAt: now };
  return target;
}

async function resolveTarget(): Promise<DnsTarget> {
  const { FUXI_DOMAINS_TARGET, FUXI_DOMAINS_ADDRESSES } = config();
  const host = (FUXI_DOMAINS_TARGET ?? defaultHost()).replace(/^\[|\]$/g, "");
  if (isIP(host)) {
    const own = isLocal(host) ? [] : [host];
    return {
      name: undefined,
      addresses: FUXI_DOMAINS_ADDRESSES.length > 0 ? FUXI_DOMAINS_ADDRESSES : own,
    };
  }
  const name = isLocal(host) ? undefined : host;
  if (FUXI_DOMAINS_ADDRESSES.length > 0 || name === undefined) {
    return { name, addresses: FUXI_DOMAINS_ADDRESSES };
  }
  const answers = await queryDns(({ a, aaaa }) => Promise.all([a(name), aaaa(name)]));
  const values = answers.flatMap(valuesOf);
  // If DNS does not answer, keep the last known addresses.
  const unsure = answers.some(({ kind }) => kind === "unsure");
  return { name, addresses: unsure && cached ? cached.target.addresses : values };
}

function valuesOf(answer: DnsAnswer): string[] {
  return answer.kind === "found" ? answer.values : [];
}

export interface DnsLookup {
  target: DnsTarget;
  findings: Findings | undefined;
}

export async function lookUpDomain(host: string, token: string): Promise<DnsLookup> {
  const target = await findTarget();
  const findings = await queryDns((dns) => findRecords(dns, host, token, target));
  return { target, findings };
}

async function findRecords(
  dns: DnsQueries,
  host: string,
  token: string,
  target: DnsTarget,
): Promise<Findings | undefined> {
  const { name, value } = ownershipRecord(host, token);
  const [txt, cnames, a, aaaa] = await Promise.all([
    dns.txt(name),
    dns.cnames(host),
    dns.a(host),
    dns.aaaa(host),
  ]);
  if (txt.kind === "unsure") return undefined;
  const addresses = [...valuesOf(a), ...valuesOf(aaaa)];
  const traffic = trafficOf(valuesOf(cnames), addresses, target);
  const isUnsure = [cnames, a, aaaa].some(({ kind }) => kind === "unsure");
  // One answer proves that traffic arrives here. Only all answers together prove that it doesn’t.
  if (isUnsure && traffic !== "here") return undefined;
  const texts = valuesOf(txt);
  return {
    owned: provesOwnership(texts, value),
    traffic,
    txt: texts,
    cnames: valuesOf(cnames),
    addresses,
  };
}
