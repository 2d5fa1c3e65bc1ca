/**
 * The hashes by which Safe Browsing and Web Risk find a URL: its canonical form, then combinations
 * of host suffixes and path prefixes, each as SHA-256. The services only differ in the hosts.
 * Follows “URLs and Hashing” of Safe Browsing v5,
 * developers.google.com/safe-browsing/reference/URLs.and.Hashing, and “Hashing URLs” of Web Risk,
 * cloud.google.com/web-risk/docs/urls-hashing.
 *
 * Texts are bytes, one per character (latin1), because a percent escape may be half of a letter.
 */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { getDomain } from "tldts";
import { parseUrl } from "#lib/basics/urls/schema";

interface CanonicalUrl {
  host: string;
  path: string;
  query: string;
}

const hostsMax = 4;
/** Labels of the longest host that is shortened by its labels. */
const labelsMax = 5;
const directoriesMax = 4;
const unescapesMax = 1_000;

/** Ignores scheme, user, port and fragment. */
export function canonicalOf(url: string): CanonicalUrl {
  const bytes = Buffer.from(url.trim()).toString("latin1");
  const bare = bytes.replace(/[\t\r\n]/g, "").replace(/#.*$/s, "");
  const rest = unescapeAll(bare).replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  const [authority = ""] = rest.split(/[/?]/, 1);
  const after = rest.slice(authority.length);
  const mark = after.indexOf("?");
  const path = mark < 0 ? after : after.slice(0, mark);
  return {
    host: escapeBytes(canonicalHost(authority)),
    path: escapeBytes(canonicalPath(path)),
    query: mark < 0 ? "" : escapeBytes(after.slice(mark)),
  };
}

function unescapeAll(text: string): string {
  let now = text;
  for (let rounds = 0; rounds < unescapesMax; rounds++) {
    const next = now.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === now) break;
    now = next;
  }
  return now;
}

function escapeBytes(text: string): string {
  return [...text]
    .map((char) => {
      const code = char.charCodeAt(0);
      const isPlain = code > 32 && code < 127 && char !== "#" && char !== "%";
      return isPlain ? char : `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

function canonicalHost(authority: string): string {
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "");
  if (host.startsWith("[")) return canonicalIpv6(host);
  const name = host
    .replace(/^\.+|\.+$/g, "")
    .replace(/\.{2,}/g, ".")
    .toLowerCase();
  // A browser reads a host of numbers as an IP address, also in octal or hexadecimal.
  const parsed = /^[0-9a-fx.]+$/.test(name) ? hostnameOf(name) : "";
  return isIP(parsed) === 4 ? parsed : name;
}

function hostnameOf(host: string): string {
  const url = `http://${host}/`;
  return parseUrl(url)?.hostname ?? "";
}

/** An IPv4 address within an IPv6 address is the IPv4 address: ::ffff:0:0/96 and 64:ff9b::/96. */
function canonicalIpv6(host: string): string {
  const parsed = hostnameOf(host) || host.toLowerCase();
  const [, high = "", low = ""] =
    /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(parsed) ?? [];
  if (high === "") return parsed;
  const value = [high, low].map((part) => Number.parseInt(part, 16));
  return value.flatMap((part) => [part >> 8, part & 255]).join(".");
}

function canonicalPath(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/");
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== "." && segment !== "") kept.push(segment);
  }
  const last = segments.at(-1) ?? "";
  const isFolder = last === "" || last === "." || last === "..";
  return kept.length === 0 ? "/" : `/${kept.join("/")}${isFolder ? "/" : ""}`;
}

type HostsOf = (host: string) => string[];

/** At most 5 hosts × 6 paths. */
export function expressionsOf(url: string, hostsOf: HostsOf): string[] {
  const { host, path, query } = canonicalOf(url);
  const paths = new Set([...(query ? [`${path}${query}`] : []), path, ...directoriesOf(path)]);
  const hosts = isAddress(host) ? [host] : hostsOf(host);
  return hosts.flatMap((name) => [...paths].map((one) => `${name}${one}`));
}

function isAddress(host: string): boolean {
  return isIP(host) > 0 || host.startsWith("[");
}

/** Safe Browsing v5: the host itself, and up to four from its registrable domain on. */
export function registrableHosts(host: string): string[] {
  const domain = registrable(host);
  if (domain === null) return [host];
  const labels = host.slice(0, -domain.length).split(".").filter(Boolean);
  const hosts = new Set([host, domain]);
  for (let count = 1; count < hostsMax && count <= labels.length; count++) {
    hosts.add([...labels.slice(-count), domain].join("."));
  }
  return [...hosts];
}

function registrable(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true, validateHostname: false });
}

/** Web Risk: the host, and up to four of its last five labels, without the top-level domain. */
export function lastHosts(host: string): string[] {
  const labels = host.split(".").slice(-labelsMax);
  const shorter = labels.map((_, at) => labels.slice(at).join(".")).slice(0, -1);
  return [host, ...shorter.filter((one) => one !== host).slice(0, hostsMax)];
}

function directoriesOf(path: string): string[] {
  const folders = path.split("/").slice(1, -1);
  const count = Math.min(folders.length + 1, directoriesMax);
  return Array.from({ length: count }, (_, depth) =>
    ["", ...folders.slice(0, depth), ""].join("/"),
  );
}

export function hashesOf(url: string, hostsOf: HostsOf): Buffer[] {
  return expressionsOf(url, hostsOf).map((text) =>
    createHash("sha256").update(text, "latin1").digest(),
  );
}
