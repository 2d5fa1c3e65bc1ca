/** A target in memory: the parts that every answer repeats are made once, when it enters the cache. */
import { fieldEnd } from "#lib/clicks";
import type { TargetRow } from "#lib/targets";
import { headText } from "./head.ts";
import { type CompiledRule, compileRule } from "./rules.ts";

export interface Target extends TargetRow {
  /** True when the answer is always the same redirect: the path that never leaves memory. */
  plain: boolean;
  head: string[];
  /** The same lines as Node writes them, with the status. */
  headText: string;
  /** US link US workspace US domain US */
  eventPart: string;
  rules: CompiledRule[];
  /** Whether a visitor's place must be known. */
  placed: boolean;
  /** Whether all visits that the link may have are known to be made. */
  usedUp: boolean;
}

const defaultStatus = 302;

export function compileTarget(row: TargetRow): Target {
  const rules = (row.extras?.rules ?? []).map(compileRule);
  // Every property by its name: an object that is spread from another gets a hidden class of its own in V8, and each
  // visit of ten thousand links then searched its properties one by one (7 % of a visit, bench/redirect).
  const status = row.status || defaultStatus;
  const head = redirectHead(row.url, row.indexed);
  return {
    linkPk: row.linkPk,
    workspacePk: row.workspacePk,
    domainPk: row.domainPk,
    status,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    state: row.state,
    url: row.url,
    expiredUrl: row.expiredUrl,
    extras: row.extras,
    indexed: row.indexed,
    plain: row.state === "a" && row.startsAt === 0 && row.endsAt === 0 && !row.extras,
    head,
    headText: headText(status, head),
    eventPart: `${fieldEnd}${row.linkPk}${fieldEnd}${row.workspacePk}${fieldEnd}${row.domainPk}${fieldEnd}`,
    rules,
    placed: row.extras?.geo !== undefined || rules.some(({ placed }) => placed),
    usedUp: false,
  };
}

/**
 * Header lines of a redirect. Never kept by a cache, so that every visit is counted; nor by a search engine, which
 * would show the short link in place of its destination, unless the owner wants that.
 */
export function redirectHead(url: string, indexed = false): string[] {
  const lines = [
    "Location",
    asciiUrl(url),
    "Cache-Control",
    "private, no-store",
    "Referrer-Policy",
    "strict-origin-when-cross-origin",
    "Content-Length",
    "0",
  ];
  if (!indexed) lines.push("X-Robots-Tag", "noindex");
  return lines;
}

/** A header carries ASCII only; what is ASCII already stays as its owner wrote it. */
function asciiUrl(url: string): string {
  return url.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text));
}
