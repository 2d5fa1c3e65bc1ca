/**
 * Limits requests to the page process, which parses them before authentication: 7,000 query
 * parameters took 3.5 s, 1,300 cookies 1.1 s (bench/hostile.ts).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { FairQueue } from "#lib/basics/bounds";
import { parseUrl } from "#lib/basics/urls/schema";
import { addressSubject } from "#lib/platform/limits";

export const pageLimits = {
  pathCharsMax: 2_048,
  queryCharsMax: 2_048,
  parametersMax: 100,
  /** Per header, with all cookies as one, except headers that the proxy truncates. */
  headerCharsMax: 8_192,
  cookiesMax: 50,
  /** A link with a few URLs of full length, or a thousand selected links. */
  bodyBytesMax: 192 * 1024,
  publicBodyBytesMax: 64 * 1024,
  /** Rendered at the same time. The process has one thread, so more would only share it. */
  runningMax: 4,
  runningPerGroupMax: 2,
  waitingPerGroupMax: 128,
  /** Requests that wait longer, for PostgreSQL, give up their slot. */
  heldMsMax: 500,
};
const retryAfterSeconds = 1;
/** Visitors cannot choose these, so the proxy truncates them. */
const truncated = new Set(["user-agent", "referer"]);
const staticFile = /^\/_next\/static\//;
/** `.` and `..` segments, plain or escaped: parsers resolve them differently. */
const dotSegment = /(?:^|\/)(?:\.|%2e){1,2}(?:$|[/?#])/i;

const readingMethods = new Set(["GET", "HEAD", "OPTIONS"]);
const actionTypes = /^(?:text\/plain|multipart\/form-data)\s*(?:;|$)/i;

export function refusalOf(req: IncomingMessage): keyof typeof texts | undefined {
  const [path = "", query = ""] = splitOnce(req.url ?? "/");
  // defence: dot-segments
  if (hasDotSegment(path)) return 400;
  // defence: page-path-utf8
  if (!isDecodable(path) || query.includes("%00")) return 400;
  if (path.length > pageLimits.pathCharsMax || query.length > pageLimits.queryCharsMax) return 414;
  // defence: page-query-parameters
  if (count(query, "&") > pageLimits.parametersMax) return 414;
  return headerRefusal(req) ?? methodRefusal(req, path) ?? bodyRefusal(req, path);
}

function headerRefusal(req: IncomingMessage): 431 | undefined {
  for (const [name, value] of Object.entries(req.headers)) {
    // defence: page-header-size
    if (!truncated.has(name) && String(value).length > pageLimits.headerCharsMax) return 431;
  }
  // defence: page-cookies
  if (count(req.headers.cookie ?? "", ";") > pageLimits.cookiesMax) return 431;
  return undefined;
}

/** Next.js would render a page for other bodies, or answer 500 to forms of other sites. */
function methodRefusal(req: IncomingMessage, path: string): 403 | 405 | 415 | undefined {
  const { method = "GET", headers } = req;
  if (path.startsWith("/api/auth/") || readingMethods.has(method)) return undefined;
  // The overlay of `next dev` sends its own requests.
  if (path.startsWith("/__nextjs")) return undefined;
  // defence: page-forms-of-actions
  if (method !== "POST" || headers["next-action"] === undefined) return 405;
  if (!actionTypes.test(headers["content-type"] ?? "")) return 415;
  const { origin, host = "" } = headers;
  // defence: page-form-origin
  return origin === undefined || isOriginOf(origin, host) ? undefined : 403;
}

function isOriginOf(origin: string, host: string): boolean {
  return parseUrl(origin)?.host === host;
}

function isDecodable(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}

/** A body without a length would have to be read first. Browsers always send the length. */
function bodyRefusal({ headers }: IncomingMessage, path: string): 411 | 413 | undefined {
  // defence: page-form-length
  if (headers["transfer-encoding"] !== undefined) return 411;
  const isDashboard = path === "/app" || path.startsWith("/app/");
  const bytesMax = isDashboard ? pageLimits.bodyBytesMax : pageLimits.publicBodyBytesMax;
  // defence: page-form-size
  return Number(headers["content-length"] ?? 0) > bytesMax ? 413 : undefined;
}

/** Another parser may resolve such a path differently. */
export function hasDotSegment(path: string): boolean {
  return dotSegment.test(path.replaceAll("\\", "/"));
}

function splitOnce(url: string): [path: string, query: string] {
  const at = url.indexOf("?");
  return at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
}

function count(list: string, separator: string): number {
  return list === "" ? 0 : list.split(separator).length;
}

export class PageGate {
  readonly #queue = new FairQueue(pageLimits);

  pass(req: IncomingMessage, res: ServerResponse, address: string, next: () => void): void {
    const status = refusalOf(req);
    if (status !== undefined) refuse(res, status);
    else if (staticFile.test(req.url ?? "")) next();
    else {
      const network = addressSubject(address);
      const owner = { group: network, member: network };
      if (this.#queue.hasRoom(owner, 1)) res.once("close", this.#queue.enter(owner, next));
      else {
        res.setHeader("Retry-After", String(retryAfterSeconds));
        refuse(res, 429);
      }
    }
  }
}

const texts = {
  400: "This URL contains . or .. as a segment, an escape that is not UTF-8, or %00. Write the path that it stands for.",
  403: "This form was sent from another site. Open the page itself and send it from there.",
  405: "This page accepts GET and HEAD only.",
  411: "The request has a body without a Content-Length. Send the length of the body.",
  413: `The form is too large. A form of the dashboard accepts up to ${pageLimits.bodyBytesMax} bytes, other pages ${pageLimits.publicBodyBytesMax}.`,
  414: `This URL is too long. A page accepts up to ${pageLimits.queryCharsMax} characters and ${pageLimits.parametersMax} query parameters.`,
  415: "The form has a type that this page cannot read. Reload the page and send it again.",
  429: "Too many requests are open from this network. Try again in a second.",
  431: `A header is too long. A page accepts headers of ${pageLimits.headerCharsMax} characters and ${pageLimits.cookiesMax} cookies.`,
};

const bodyRefusals = new Set([403, 405, 411, 413, 415]);

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function refuse(res: ServerResponse, status: keyof typeof texts): void {
  const isUnread = bodyRefusals.has(status) && hasBody(res.req);
  res.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    ...(status === 405 ? { Allow: "GET, HEAD" } : {}),
    ...(isUnread ? { Connection: "close" } : {}),
  });
  res.end(`${texts[status]}\n`);
}
