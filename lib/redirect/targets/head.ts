/**
 * The head of a redirect.
 *
 * For cached links it is precomputed text: `writeHead` validates and joins the same lines for each
 * visit, which is 5 % of its time (bench/redirect). Node stores the result in `_header` and sends
 * that. So Node writes the first visit of each second, and the lines that it appended (Date,
 * Connection, Keep-Alive) are reused for the rest of that second. If another version of Node stores
 * its head elsewhere, Node writes every visit.
 */
import { type ServerResponse, STATUS_CODES } from "node:http";
import { parseUrl } from "#lib/basics/urls/schema";

/**
 * Never cached, so that every visit is counted. Search engines would show the short link in place
 * of its destination.
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

/** Headers are ASCII only. ASCII URLs stay unchanged. */
function asciiUrl(url: string): string {
  if (url.search(notAscii) < 0) return url;
  return withAsciiHost(url).replace(notAscii, (text) => encodeURIComponent(text));
}

/** Converts the host to Punycode, because not every program understands a percent-encoded one. */
function withAsciiHost(url: string): string {
  const [start = "", before = "", host = ""] = hostPart.exec(url) ?? [];
  if (host.search(notAscii) < 0) return url;
  const ascii = parseUrl(url)?.host;
  return ascii ? before + ascii + url.slice(start.length) : url;
}

const notAscii = /[^\x21-\x7e]+/g;
/** The host: after the scheme and the last @. */
const hostPart = /^(https?:\/\/(?:[^/?#\\]*@)?)([^/?#\\]*)/i;

/** What Node would produce, in parts: one text would take 300 more bytes per cached link. */
export function headOf(status: number, url: string, indexed: boolean): string {
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\nLocation: `;
  return deduplicated(line) + asciiUrl(url) + (indexed ? indexedEnd : usualEnd);
}

const usualEnd = endOf(redirectHead("", false));
const indexedEnd = endOf(redirectHead("", true));

function endOf([, , ...lines]: string[]): string {
  let text = "\r\n";
  for (let at = 0; at + 1 < lines.length; at += 2) text += `${lines[at]}: ${lines[at + 1]}\r\n`;
  return text;
}

const beginnings = new Map<string, string>();

function deduplicated(beginning: string): string {
  const cached = beginnings.get(beginning);
  if (cached !== undefined) return cached;
  beginnings.set(beginning, beginning);
  return beginning;
}

interface PreparedRedirect {
  status: number;
  url: string;
  indexed: boolean;
  head: string;
}

let tail = "";
let tailUntil = 0;

export function writeHead(res: ServerResponse, target: PreparedRedirect, now: number): void {
  if (now < tailUntil && res.shouldKeepAlive) {
    res.statusCode = target.status;
    withHeader(res)._header = target.head + tail;
    return;
  }
  res.writeHead(target.status, redirectHead(target.url, target.indexed));
  const written = withHeader(res)._header;
  if (res.shouldKeepAlive && typeof written === "string" && written.startsWith(target.head)) {
    tail = written.slice(target.head.length);
    tailUntil = now - (now % 1_000) + 1_000;
  }
}

/** Sound because the field is only used if it contains what was just written. */
function withHeader(res: ServerResponse): { _header?: unknown } {
  return res as unknown as { _header?: unknown };
}
