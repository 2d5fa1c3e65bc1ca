/** A check looks up the host and its parent domains, however long the list is. */
import { setImmediate } from "node:timers/promises";
import { hostPatternCharsMax, plainPath } from "./host-patterns.ts";

/** `example.com` covers its subdomains when it blocks or warns; `*.example.com` only subdomains. */
export type HostReach = "host" | "host and subdomains";

/** Entries per turn of the event loop, about a millisecond of work. */
const sliceEntries = 5_000;

export class HostList {
  readonly #hosts = new Set<string>();
  readonly #parents = new Set<string>();
  readonly #paths = new Map<string, Set<string>>();
  readonly #parentPaths = new Map<string, Set<string>>();
  size = 0;
  readonly #reach: HostReach;

  constructor(reach: HostReach) {
    this.#reach = reach;
  }

  add(entry: string): void {
    this.size += 1;
    const isWildcard = entry.startsWith("*.");
    const start = isWildcard ? 2 : 0;
    const end = entry.indexOf("/");
    if (end < 0) {
      (isWildcard ? this.#parents : this.#hosts).add(entry.slice(start));
      return;
    }
    const paths = isWildcard ? this.#parentPaths : this.#paths;
    const host = entry.slice(start, end);
    const known = paths.get(host) ?? new Set();
    paths.set(host, known.add(entry.slice(end)));
  }

  matches(host: string, url: string): boolean {
    if (this.#hasHost(host, url)) return true;
    const withSubdomains = this.#reach === "host and subdomains";
    if (!withSubdomains && this.#parents.size + this.#parentPaths.size === 0) return false;
    for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
      const parent = host.slice(dot + 1);
      if (this.#parents.has(parent) || isBelow(this.#parentPaths.get(parent), url)) return true;
      if (withSubdomains && this.#hasHost(parent, url)) return true;
    }
    return false;
  }

  #hasHost(host: string, url: string): boolean {
    return this.#hosts.has(host) || isBelow(this.#paths.get(host), url);
  }
}

/** One lookup per folder of the path. Entries have at most `hostPatternCharsMax`. */
function isBelow(paths: ReadonlySet<string> | undefined, url: string): boolean {
  if (!paths) return false;
  const path = `${plainPath(new URL(url).pathname)}/`.slice(0, hostPatternCharsMax + 1);
  for (let end = path.indexOf("/", 1); end >= 0; end = path.indexOf("/", end + 1)) {
    if (paths.has(path.slice(0, end))) return true;
  }
  return false;
}

export function findOfHost<T>(values: ReadonlyMap<string, T>, host: string): T | undefined {
  let found = values.get(host);
  for (let dot = host.indexOf("."); dot >= 0 && found === undefined; ) {
    found = values.get(host.slice(dot + 1));
    dot = host.indexOf(".", dot + 1);
  }
  return found;
}

export async function compileList(
  reach: HostReach,
  entries: readonly string[],
  texts: readonly string[],
): Promise<HostList> {
  const list = new HostList(reach);
  for (const entry of entries) list.add(entry);
  for (const text of texts) {
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf("\n", at);
      const next = end < 0 ? text.length : end;
      list.add(text.slice(at, next));
      at = next + 1;
      if (list.size % sliceEntries === 0) await setImmediate();
    }
  }
  return list;
}
