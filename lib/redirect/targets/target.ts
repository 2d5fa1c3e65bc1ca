/**
 * A cached target: the constant parts of its responses are computed when it enters the cache. One
 * takes about 570 bytes with its entry, so only a sixteenth of the links in memory are compiled.
 * The others are lines of about 170 bytes (lib/platform/cache-sync/packed-cache.ts):
 *
 *     entry ──► value │ epoch │ kept at │ age                          56 and the name, 32
 *     value ──► link │ workspace │ domain │ status │ times │ state …   152
 *                 url ───────────► part of the line from Redis         120 for the line
 *                 head ──────────► line 1 + url + shared lines         2 × 32: joined when sent
 *                 event part ────► US link US workspace US domain US   40
 *                 extras, rules ─► nothing, for most
 */
import type { AbuseReason } from "#lib/basics/abuse/schema";
import type { TargetRow } from "#lib/links/link-cache";
import { isAppDownload } from "#lib/redirect/app-browsers";
import { fieldEnd } from "#lib/redirect/clicks";
import { type CompiledRule, compileRule } from "#lib/redirect/routing-rules";
import { headOf } from "./head.ts";

export interface Target extends TargetRow {
  /** Always the same redirect except for the id of the click, unless banned or warned about. */
  plain: boolean;
  /** Whether some in-app browsers cannot open the destination: a download, or a store. */
  downloads: boolean;
  /** The destination gets the id of each click. */
  tracked: boolean;
  /** The generation of bans (redirect/trust) in which this is a plain redirect from memory. */
  plainAt: number;
  /** The generation in which `ban` and `warned` were found. 0: not yet. */
  checkedAt: number;
  /** Why the link, a destination or the workspace is banned. */
  ban: AbuseReason | undefined;
  warned: boolean;
  /** Status line and header lines of the redirect, as Node writes them. */
  head: string;
  /** US link US workspace US domain US */
  eventPart: string;
  rules: CompiledRule[];
  placed: boolean;
  /** The click limit is known to be used up. */
  usedUp: boolean;
}

const defaultStatus = 302;
const noRules: CompiledRule[] = [];

export function compileTarget(row: TargetRow): Target {
  const rules = row.extras?.rules?.map(compileRule) ?? noRules;
  // List every property: an object created by spreading gets its own hidden class in V8, and each
  // visit of ten thousand links then searched its properties one by one (7 % of a visit,
  // bench/redirect).
  const status = row.status || defaultStatus;
  const tracked = row.extras?.tracked === true;
  const usual = !row.extras || (tracked && Object.keys(row.extras).length === 1);
  const downloads = isAppDownload(row.url);
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
    plain: row.state === "a" && row.startsAt === 0 && row.endsAt === 0 && usual && !downloads,
    downloads,
    tracked,
    plainAt: 0,
    checkedAt: 0,
    ban: undefined,
    warned: false,
    head: headOf(status, row.url, row.indexed),
    // Joined, because a concatenated text retains its parts until it is first read.
    eventPart: ["", row.linkPk, row.workspacePk, row.domainPk, ""].join(fieldEnd),
    rules,
    placed: row.extras?.geo !== undefined || rules.some(({ placed }) => placed),
    usedUp: false,
  };
}
