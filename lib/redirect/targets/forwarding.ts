/**
 * Forwards parts of a visit’s URL to the destination: parameters if the link or its workspace says
 * so, and the path after the key. All URLs are edited as text, so that the rest stays as it was
 * written.
 */
import { withTimeout } from "#lib/basics/bounds";
import { type LoadedValue, workspaceEntry, workspaceOfEntry } from "#lib/platform/cache-sync";
import { log } from "#lib/platform/log";
import { type Connection, query } from "#lib/platform/postgres";
import { lineParameter } from "#lib/redirect/app-browsers";
import { openCache } from "./cache.ts";
import type { Target } from "./target.ts";

const workspacesMax = 100_000;
const waitMs = 300;
const timedOut = new Error("Loading the forwarding of a workspace timed out");

/** Whether the links of a workspace forward query parameters by default. */
export const forwarding = openCache<boolean>({
  name: "forwarding",
  entriesMax: workspacesMax,
  load: loadForwarding,
});

async function loadForwarding(
  entries: string[],
  on?: Connection,
): Promise<Map<string, LoadedValue<boolean>>> {
  const rows = await query.on(on).query<{ pk: number; forwards: boolean }>({
    name: "redirect-forwarding",
    // Answered by workspace_pkey.
    text: `
    SELECT pk, forward_query AS forwards
    FROM workspace
    WHERE pk = ANY($1::int[])`,
    values: [entries.map(workspaceOfEntry)],
  });
  // Revisions order values in Redis, and these values are in memory only.
  return new Map(
    rows.map(({ pk, forwards }) => [workspaceEntry(pk), { revision: 0, value: forwards }]),
  );
}

/**
 * Whether a plain link may not answer from memory alone: the visit has a query, and the workspace
 * forwards it or is not in memory yet. A visit without a query only pays for the search for its
 * question mark.
 */
export function mayForward(url: string, target: Target, now: number): boolean {
  return url.includes("?") && forwarding.peek(workspaceEntry(target.workspacePk), now) !== false;
}

export async function forwardUrl(
  url: string,
  { target, rest, query }: { target: Target; rest: string; query: string },
): Promise<string> {
  const whole = withPath(url, rest);
  return (await isForwarded(target, query)) ? withQuery(whole, query) : whole;
}

/** False if the stores are unavailable: the destination works without the parameters. */
async function isForwarded(target: Target, query: string): Promise<boolean> {
  if (query === "") return false;
  const own = target.extras?.forwardQuery;
  if (own !== undefined) return own;
  try {
    const found = await withTimeout(
      waitMs,
      () => forwarding.find(workspaceEntry(target.workspacePk)),
      () => timedOut,
    );
    return found === true;
  } catch (error) {
    if (error !== timedOut) log.warn({ event: "forwarding.unavailable", error: String(error) });
    return false;
  }
}

const ownParts: ReadonlySet<string> = new Set(["qr=1", lineParameter]);

/** Parameters of the visit replace those with the same name. Leaves out our own parameters. */
export function withQuery(url: string, query: string): string {
  const hashAt = url.indexOf("#");
  const base = hashAt < 0 ? url : url.slice(0, hashAt);
  const added = partsOf(textOf(query).split("#", 1)[0] ?? "").filter((part) => !ownParts.has(part));
  if (added.length === 0) return url;
  const replaced = new Set(added.map(nameOf));
  const markAt = base.indexOf("?");
  const own = markAt < 0 ? [] : partsOf(base.slice(markAt + 1));
  const kept = own.filter((part) => !replaced.has(nameOf(part)));
  const path = markAt < 0 ? base : base.slice(0, markAt);
  return `${path}?${[...kept, ...added].join("&")}${hashAt < 0 ? "" : url.slice(hashAt)}`;
}

function partsOf(query: string): string[] {
  return query.split("&").filter((part) => part !== "");
}

function nameOf(part: string): string {
  const raw = (part.split("=", 1)[0] ?? "").replaceAll("+", " ");
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw; // an invalid escape
  }
}

/** Each byte above ASCII is one character. */
function textOf(raw: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no decoding
  return /^[\x00-\x7f]*$/.test(raw) ? raw : Buffer.from(raw, "latin1").toString("utf8");
}

/** Appends the rest of the visit’s path (`/a/b`) to the path of the destination. */
export function withPath(url: string, rest: string): string {
  if (rest === "") return url;
  const end = url.search(/[?#]/);
  const base = end < 0 ? url : url.slice(0, end);
  return `${base.replace(/\/+$/, "")}${textOf(rest)}${end < 0 ? "" : url.slice(end)}`;
}

// Dot segments and empty ones would leave the destination's path; the others break lines or act as a slash.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are matched on purpose
const unsafe = /[\x00-\x1f\x7f\\]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/;
const prefixesMax = 8;

interface PathSplit {
  path: string;
  rest: string;
}

/** Splits of a path into key and rest, longest key first, without rests that are unsafe. */
export function splitsOf(path: string): PathSplit[] {
  const splits: PathSplit[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    const rest = path.slice(at);
    if (splits.length === prefixesMax || !isSafe(rest)) break;
    splits.push({ path: path.slice(0, at), rest });
  }
  return splits;
}

function isSafe(rest: string): boolean {
  try {
    return !unsafe.test(decodeURIComponent(rest));
  } catch {
    return false; // a broken escape
  }
}
