/**
 * Checks every request body before an endpoint runs: its length, its encoding, and that all of its texts can be stored. Endpoints
 * can rely on it.
 */
import { isUtf8 } from "node:buffer";
import { AppError } from "#lib/platform/errors";
import { assertCleanTexts, assertSimple } from "./hostile-text.ts";
import type { ApiContext } from "./router.ts";

const megabyte = 1024 * 1024;
/** Parsing blocks the process: a megabyte takes about five milliseconds. */
const bodyBytesMax = megabyte;

/** Routes whose handler streams the body, with their limits. */
const largeBodyBytesMax: Readonly<Record<string, number>> = {
  "POST /api/links/bulk": 16 * megabyte,
  "POST /api/campaigns/{id}/recipients": 16 * megabyte,
  // An import has its own limit, and its messages refer to the file instead of a body.
  "POST /api/imports": Number.POSITIVE_INFINITY,
  "POST /api/campaigns/{id}/files": Number.POSITIVE_INFINITY,
};

const ofCampaign = /^\/api\/campaigns\/[^/]+\/(recipients|files)$/;

/** The limit of this request's body, for `readJsonArray`. */
export function bytesMaxOf(c: ApiContext): number {
  return largeBodyBytesMax[routeOf(c)] ?? bodyBytesMax;
}

function routeOf(c: ApiContext): string {
  const path = c.req.path.replace(ofCampaign, "/api/campaigns/{id}/$1");
  return `${c.req.method} ${path}`;
}

/** Refuses a body that is too long, is not UTF-8, or contains a text that cannot be stored. The body is read once. */
export async function checkBody(c: ApiContext): Promise<void> {
  if (c.req.method === "GET" || c.req.method === "HEAD") return;
  const bytesMax = bytesMaxOf(c);
  const length = c.req.header("content-length");
  if (Number(length ?? 0) > bytesMax) throw tooLong(bytesMax);
  const empty = length === "0" || (length === undefined && !c.req.header("transfer-encoding"));
  if (empty || routeOf(c) in largeBodyBytesMax) return;
  const text = checkBytes(await readBytes(c.req.raw, length === undefined, bytesMax));
  // The framework’s validators find the text here instead of reading the body.
  Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
}

export function incompleteBody(): AppError {
  return new AppError("bad_request", "The request body is incomplete. Send the request again.");
}

export function checkBytes(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new AppError("bad_request", "The request body isn’t valid UTF-8.");
  assertSimple(bytes);
  const text = withoutMark(bytes.toString("utf8"));
  if (text.includes("\\u")) assertCleanTexts(text, tryParse(text));
  return text;
}

async function readBytes(request: Request, counted: boolean, bytesMax: number): Promise<Buffer> {
  try {
    return counted
      ? await readCounted(request, bytesMax)
      : Buffer.from(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw incompleteBody();
  }
}

/** Without a length the body is counted while it is read. */
async function readCounted(request: Request, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    chunks.push(read.value);
    bytes += read.value.length;
    if (bytes > bytesMax) {
      await reader?.cancel();
      throw tooLong(bytesMax);
    }
  }
  return Buffer.concat(chunks, bytes);
}

function tooLong(bytesMax: number): AppError {
  return new AppError(
    "bad_request",
    `The request body is too large. The limit is ${bytesMax / megabyte} MB.`,
  );
}

function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Undefined for invalid JSON: the endpoint reports it, if it expects JSON. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
