/**
 * An answer is `found`, `none` (DNS says that the record does not exist) or `unsure` (no resolver
 * answered); callers change nothing when unsure. All queries of one `queryDns` share a deadline,
 * and no resolver has a cache, so that a check sees a changed record.
 */
import { Resolver } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { config } from "#lib/platform/config";

const tryTimeoutMs = 1_000;
const tries = 2;
export const deadlineMs = 4_000;
export const hopsMax = 8;
export const shownMax = 8;
export const shownCharsMax = 200;

export type DnsAnswer = { kind: "found"; values: string[] } | { kind: "none" } | { kind: "unsure" };

export interface DnsQueries {
  txt: (name: string) => Promise<DnsAnswer>;
  /** The names in the CNAME chain of a name, nearest first. A loop is `none`. */
  cnames: (name: string) => Promise<DnsAnswer>;
  a: (name: string) => Promise<DnsAnswer>;
  aaaa: (name: string) => Promise<DnsAnswer>;
}

export async function queryDns<T>(
  work: (dns: DnsQueries) => Promise<T>,
  servers: readonly string[] = config().FUXI_DNS_SERVERS,
): Promise<T> {
  const resolver = new Resolver({ timeout: tryTimeoutMs, tries });
  if (servers.length > 0) resolver.setServers(servers);
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    resolver.cancel();
  }, deadlineMs);
  const ask = async (lookup: () => Promise<string[]>): Promise<DnsAnswer> => {
    if (isLate) return { kind: "unsure" };
    return await lookup().then(answerOf, failureOf);
  };
  const oneCname = (name: string) => ask(() => resolver.resolveCname(name));
  try {
    return await work({
      txt: (name) =>
        ask(async () => (await resolver.resolveTxt(name)).map((strings) => strings.join(""))),
      cnames: (name) => followCnames(name, oneCname),
      a: (name) => ask(() => resolver.resolve4(name)),
      aaaa: (name) => ask(() => resolver.resolve6(name)),
    });
  } finally {
    clearTimeout(deadline);
    resolver.cancel();
  }
}

async function followCnames(
  name: string,
  oneCname: (name: string) => Promise<DnsAnswer>,
): Promise<DnsAnswer> {
  const names: string[] = [];
  while (names.length < hopsMax) {
    const answer = await oneCname(names.at(-1) ?? name);
    if (answer.kind === "unsure") return answer;
    if (answer.kind === "none") break;
    const next = normalizeName(answer.values[0] ?? "");
    if (next === normalizeName(name) || names.includes(next)) return { kind: "none" };
    names.push(next);
  }
  return answerOf(names);
}

/** DNS ignores case, and the final dot is optional. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

export function normalizeIp(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toString() : address;
}

function answerOf(values: string[]): DnsAnswer {
  return values.length === 0 ? { kind: "none" } : { kind: "found", values };
}

const noneCodes = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

function failureOf(error: unknown): DnsAnswer {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return noneCodes.has(code) ? { kind: "none" } : { kind: "unsure" };
}

/** The TXT record that proves who controls a domain: as a host of links, or for its email addresses. */
export function ownershipRecord(
  host: string,
  token: string,
  use: "verify" | "sso" = "verify",
): { name: string; value: string } {
  return { name: `_fuxi.${host}`, value: `fuxi-${use}=${token}` };
}

/** Some DNS panels keep quotes that were pasted with the value. */
export function provesOwnership(texts: readonly string[], value: string): boolean {
  return texts.some((text) => text.trim().replace(/^"(.*)"$/, "$1") === value);
}

export function displayValues(values: readonly string[]): string[] {
  return values
    .slice(0, shownMax)
    .map((value) =>
      [...value.slice(0, shownCharsMax)].join("").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd"),
    );
}
