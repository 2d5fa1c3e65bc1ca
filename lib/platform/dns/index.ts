/**
 * Questions to DNS about names that others chose, to resolvers that the operator chose.
 *
 * An answer is `found`, `none` (the name or such a record does not exist: DNS said so) or `unsure` (nobody could be
 * asked, or what came back was no answer). Only the first two say something of the world; whoever decides by them leaves
 * everything as it is when it is unsure.
 *
 * All questions of one `askDns` share a deadline. Each call has a resolver of its own, which remembers nothing of others:
 * somebody who presses a button after changing a record wants the record, and the resolvers behind it have caches enough.
 * A message of DNS has at most 64 KB, which bounds what anyone can make us read; what may be shown is bounded by
 * `shownOf`.
 */
import { Resolver } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { config } from "#lib/platform/config";

/** Of the first try; the second waits twice as long. */
const tryTimeoutMs = 1_000;
const tries = 2;
export const deadlineMs = 4_000;
/** From a name to what its CNAMEs lead to. */
export const hopsMax = 8;
/** Of one answer, for people to read. */
export const shownMax = 8;
export const shownCharsMax = 200;

export type Answer = { kind: "found"; values: string[] } | { kind: "none" } | { kind: "unsure" };

export interface Dns {
  /** The texts of the TXT records, each joined of its strings. */
  txt: (name: string) => Promise<Answer>;
  /** Names to which the CNAME of a name leads, the nearest first. A circle leads nowhere: `none`. */
  cnames: (name: string) => Promise<Answer>;
  a: (name: string) => Promise<Answer>;
  aaaa: (name: string) => Promise<Answer>;
}

/** Asks the resolvers of the installation, or others, for at most `deadlineMs`. */
export async function askDns<T>(
  work: (dns: Dns) => Promise<T>,
  servers: readonly string[] = config().FUXI_DNS_SERVERS,
): Promise<T> {
  const resolver = new Resolver({ timeout: tryTimeoutMs, tries });
  if (servers.length > 0) resolver.setServers(servers);
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    resolver.cancel();
  }, deadlineMs);
  const ask = async (question: () => Promise<string[]>): Promise<Answer> => {
    if (late) return { kind: "unsure" };
    return await question().then(answerOf, unansweredOf);
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
  oneCname: (name: string) => Promise<Answer>,
): Promise<Answer> {
  const names: string[] = [];
  while (names.length < hopsMax) {
    const answer = await oneCname(names.at(-1) ?? name);
    if (answer.kind === "unsure") return answer;
    if (answer.kind === "none") break;
    const next = bareName(answer.values[0] ?? "");
    if (next === bareName(name) || names.includes(next)) return { kind: "none" };
    names.push(next);
  }
  return answerOf(names);
}

/** A name as it is compared: DNS does not tell capitals, and some write the final dot. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/** One spelling for each address. */
export function bareAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toString() : address;
}

function answerOf(values: string[]): Answer {
  return values.length === 0 ? { kind: "none" } : { kind: "found", values };
}

/** Codes by which DNS says that there is nothing; a name that DNS cannot hold has no records either. */
const noneCodes = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

function unansweredOf(error: unknown): Answer {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return noneCodes.has(code) ? { kind: "none" } : { kind: "unsure" };
}

/** Values as people are shown them: few, short, and without what draws something else than it is. */
export function shownOf(values: readonly string[]): string[] {
  return values
    .slice(0, shownMax)
    .map((value) =>
      [...value.slice(0, shownCharsMax)].join("").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd"),
    );
}
