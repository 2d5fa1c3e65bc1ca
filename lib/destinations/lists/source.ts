import { open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { hostPatternCharsMax, parseHostPattern } from "#lib/basics/urls";
import { parseUrl } from "#lib/basics/urls/schema";
import { config } from "#lib/platform/config";
import { fetchPublic } from "#lib/platform/safe-fetch";
import {
  type ListProblem,
  type ListProblemCode,
  sourceBytesMax,
  sourceEntriesMax,
} from "./schema.ts";

const timeoutMs = 10_000;
const redirectsMax = 3;
const megabyte = 1024 * 1024;
const shownCharsMax = 100;
/** Entries per turn of the event loop. */
const sliceEntries = 2_000;

/** `unchanged`: the source still has the known ETag. `malformed`: the content is not a list. */
export type SourceRead =
  | { state: "unchanged" }
  | { state: "read"; entries: string[]; etag: string | null }
  | { state: "malformed" | "unreachable"; problem: ListProblem };

export function listProblem(
  code: ListProblemCode,
  params: ListProblem["params"] = {},
): ListProblem {
  return { code, params };
}

/** Plain http is only for tests on this machine. */
export function isSourceUrl(source: string): boolean {
  if (!parseUrl(source)) return false;
  const isAllowed = /^https:\/\//i.test(source);
  return isAllowed || (/^http:\/\//i.test(source) && config().FUXI_FETCH === "loopback");
}

/** `etag`: identifies the version that we already have. */
export async function readSource(source: string, etag: string | null): Promise<SourceRead> {
  const answer = source.startsWith("/") ? await readFile(source) : await fetchList(source, etag);
  if (!("bytes" in answer)) return answer;
  if (answer.bytes.length > sourceBytesMax) {
    const problem = listProblem("source_large", { megabytes: sourceBytesMax / megabyte });
    return { state: "malformed", problem };
  }
  const parsed = await parseSource(answer.bytes.toString());
  return Array.isArray(parsed)
    ? { state: "read", entries: parsed, etag: answer.etag }
    : { state: "malformed", problem: parsed };
}

interface Content {
  /** One byte more than allowed means "too large". */
  bytes: Buffer;
  etag: string | null;
}

function unreachable(problem: ListProblem): SourceRead {
  return { state: "unreachable", problem };
}

async function fetchList(url: string, etag: string | null): Promise<Content | SourceRead> {
  if (!isSourceUrl(url)) return unreachable(listProblem("source_insecure"));
  const parts: Uint8Array[] = [];
  let version: string | null = null;
  const fetched = await fetchPublic({
    url,
    accept: "application/json",
    etag,
    limits: { timeoutMs, bytesMax: sourceBytesMax + 1, redirectsMax },
    open: (head) => {
      version = head.etag || null;
      return (part) => {
        parts.push(part);
        return true;
      };
    },
  });
  if (fetched.ok) return { bytes: Buffer.concat(parts), etag: version };
  if (fetched.code !== "status") return unreachable(listProblem("source_unreachable"));
  if (fetched.status === 304 && etag) return { state: "unchanged" };
  return unreachable(listProblem("source_status", { status: fetched.status }));
}

async function readFile(path: string): Promise<Content | SourceRead> {
  try {
    await using file = await open(path);
    const bytes = Buffer.alloc(Math.min((await file.stat()).size, sourceBytesMax) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) break;
    }
    return { bytes: bytes.subarray(0, length), etag: null };
  } catch {
    return unreachable(listProblem("source_unreadable")); // missing, a folder, not permitted
  }
}

/** The entries of a JSON text in their stored form, or the first problem. */
export async function parseSource(text: string): Promise<string[] | ListProblem> {
  const given = valuesOf(text);
  if (!Array.isArray(given)) return given;
  if (given.length > sourceEntriesMax) return listProblem("source_long", { max: sourceEntriesMax });
  const entries = new Set<string>();
  for (const [at, one] of given.entries()) {
    const parsed = parseEntry(one);
    if (!("pattern" in parsed)) return parsed;
    entries.add(parsed.pattern);
    if (at % sliceEntries === sliceEntries - 1) await setImmediate();
  }
  return [...entries];
}

function valuesOf(text: string): string[] | ListProblem {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return listProblem("source_json"); // SyntaxError
  }
  if (typeof json !== "object" || json === null) return listProblem("source_form");
  const values: unknown[] = Object.values(json);
  const texts = values.filter((value) => typeof value === "string");
  return texts.length === values.length ? texts : listProblem("source_form");
}

export function parseEntry(text: string): { pattern: string } | ListProblem {
  const parsed = parseHostPattern(text);
  if (parsed.ok) return parsed;
  const params = { entry: text.trim().slice(0, shownCharsMax), max: hostPatternCharsMax };
  return listProblem(parsed.code, params);
}
