/**
 * The head of a redirect.
 *
 * For links in memory it is text that is made once: `writeHead` checks and joins the same lines anew for each visit,
 * which is 5 % of it (bench/redirect). Node keeps what it made in `_header`, and sends that; so the first visit of each
 * second is written by Node itself, and what Node put behind our lines (Date, Connection, Keep-Alive) serves for the
 * others of that second. Nothing is assumed about those lines, and where Node keeps its head elsewhere, every visit is
 * written by Node.
 */
import { type ServerResponse, STATUS_CODES } from "node:http";

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

/**
 * The same as the text that Node makes of it. Its parts are joined when it is sent: as one text it would take 300 bytes
 * more for each link in memory.
 */
export function headOf(status: number, url: string, indexed: boolean): string {
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\nLocation: `;
  return remembered(line) + asciiUrl(url) + (indexed ? indexedEnd : usualEnd);
}

const usualEnd = endOf(redirectHead("", false));
const indexedEnd = endOf(redirectHead("", true));

/** What follows the Location. */
function endOf([, , ...lines]: string[]): string {
  let text = "\r\n";
  for (let at = 0; at + 1 < lines.length; at += 2) text += `${lines[at]}: ${lines[at + 1]}\r\n`;
  return text;
}

const beginnings = new Map<string, string>();

/** One text for all links, of the few that there are. */
function remembered(beginning: string): string {
  const known = beginnings.get(beginning);
  if (known !== undefined) return known;
  beginnings.set(beginning, beginning);
  return beginning;
}

interface Headed {
  status: number;
  url: string;
  indexed: boolean;
  /** `headOf` of the three. */
  head: string;
}

/** Whatever Node wrote behind the lines of ours, and until when it is true. */
let tail = "";
let tailUntil = 0;

/** Writes the head of a redirect that was made before. */
export function writeHead(res: ServerResponse, target: Headed, now: number): void {
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

/** Sound because the field is only believed when it holds what was just written. */
function withHeader(res: ServerResponse): { _header?: unknown } {
  return res as unknown as { _header?: unknown };
}
