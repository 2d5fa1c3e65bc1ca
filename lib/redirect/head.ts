/**
 * The head of a redirect, as text that is made once per link.
 *
 * `writeHead` checks and joins the same four lines anew for each visit, which is 5 % of it (bench/redirect). Node keeps
 * what it made in `_header`, and sends that; so the first visit of each second is written by Node itself, and what Node
 * put behind our lines (Date, Connection, Keep-Alive) serves for the others of that second. Nothing is assumed about
 * those lines, and where Node keeps its head elsewhere, every visit is written by Node.
 */
import { type ServerResponse, STATUS_CODES } from "node:http";

/** Whatever Node wrote behind the lines of ours, and until when it is true. */
let tail = "";
let tailUntil = 0;

/** The text that Node makes of a status and of header lines that it has accepted once. */
export function headText(status: number, lines: readonly string[]): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n`;
  for (let at = 0; at + 1 < lines.length; at += 2) text += `${lines[at]}: ${lines[at + 1]}\r\n`;
  return text;
}

/** Writes the head of which `text` is the beginning. */
export function writeHeadText(
  res: ServerResponse,
  status: number,
  lines: string[],
  text: string,
  now: number,
): void {
  if (now < tailUntil && res.shouldKeepAlive) {
    res.statusCode = status;
    withHeader(res)._header = text + tail;
    return;
  }
  res.writeHead(status, lines);
  const written = withHeader(res)._header;
  if (res.shouldKeepAlive && typeof written === "string" && written.startsWith(text)) {
    tail = written.slice(text.length);
    tailUntil = now - (now % 1_000) + 1_000;
  }
}

/** Sound because the field is only believed when it holds what was just written. */
function withHeader(res: ServerResponse): { _header?: unknown } {
  return res as unknown as { _header?: unknown };
}
