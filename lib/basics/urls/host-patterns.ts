/** `example.com` is this host, `*.example.com` its subdomains, `example.com/shop` a path. */
import { parseUrl } from "./web-urls.ts";

const hostCharsMax = 253;
export const hostPatternCharsMax = 1_000;

export type HostPatternProblem =
  | "entry_empty"
  | "entry_long"
  | "entry_scheme"
  | "entry_port"
  | "entry_query"
  | "entry_wildcard"
  | "entry_host";

export type ParsedHostPattern =
  | { ok: true; pattern: string }
  | { ok: false; code: HostPatternProblem };

const hostPattern =
  /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const addressPattern = /^(?:\d+(?:\.\d+){3}|\[[0-9a-f:.]+\])$/;

export function parseHostPattern(text: string): ParsedHostPattern {
  const entry = text.trim();
  const problem = findProblem(entry);
  if (problem) return { ok: false, code: problem };
  const [start = ""] = entry.split("/", 1);
  const isWildcard = start.startsWith("*.");
  const host = asciiHost(isWildcard ? start.slice(2) : start);
  if (host === undefined || (isWildcard && addressPattern.test(host))) {
    return { ok: false, code: "entry_host" };
  }
  const path = plainPath(entry.slice(start.length)).replace(/\/$/, "");
  return { ok: true, pattern: `${isWildcard ? "*." : ""}${host}${path}` };
}

function findProblem(entry: string): HostPatternProblem | undefined {
  if (entry === "") return "entry_empty";
  if (entry.length > hostPatternCharsMax) return "entry_long";
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(entry)) return "entry_scheme";
  if (/[?#]/.test(entry)) return "entry_query";
  const [host = ""] = entry.split("/", 1);
  if (/[^\]]:\d*$|^\[[^\]]*\]:/.test(host) && !/^\[[^\]]*\]$/.test(host)) return "entry_port";
  if (host.lastIndexOf("*") > 0 || /^\*(?!\.)/.test(host)) return "entry_wildcard";
  return /[\s\\@%]/.test(host) ? "entry_host" : undefined;
}

function asciiHost(text: string): string | undefined {
  const url = text === "" ? undefined : parseUrl(`http://${text.replace(/\.$/, "")}/`);
  if (!url) return undefined;
  const { hostname } = url;
  const isHost = hostPattern.test(hostname) || addressPattern.test(hostname);
  return isHost && hostname.length <= hostCharsMax ? hostname : undefined;
}

/** Reads a path like servers do. Otherwise `/%73hop` or `/x/..%2Fshop` would not match `/shop`. */
export function plainPath(path: string): string {
  // The URL parser encodes non-ASCII characters.
  const url = `http://host/${path.replace(/^\//, "")}`;
  const encoded = parseUrl(url)?.pathname ?? path;
  const segments: string[] = [];
  // defence: encoded-paths-match
  for (const segment of encoded.replace(/%[0-9a-f]{2}/gi, plainEscape).split(/[/\\]/)) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

/** Control characters, spaces and URL syntax stay encoded. */
function plainEscape(escaped: string): string {
  const char = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /^[!-~]$/.test(char) && !/[?#%]/.test(char) ? char : escaped.toUpperCase();
}
