/** A file with a network or address per line. Clicks from there come from programs that imitate a browser. */
import { readFile, stat } from "node:fs/promises";
import ipaddr from "ipaddr.js";
import { log } from "#lib/platform/log";

const checkEveryMs = 60_000;

type Range = readonly [bigint, bigint];

let ranges: readonly Range[] = [];
let readState = "";
let checkedAt = 0;

/** Rereads a changed file, at most once a minute. If it is unreadable, the last networks stay. */
export async function openDataCenters(path: string | undefined, now = Date.now()): Promise<void> {
  if (path === undefined || now - checkedAt < checkEveryMs) return;
  checkedAt = now;
  try {
    const { mtimeMs, size } = await stat(path);
    const state = `${path} ${mtimeMs} ${size}`;
    if (state === readState) return;
    const { networks, invalidLines } = networksIn(await readFile(path, "utf8"));
    ranges = networks;
    readState = state;
    const found = { networks: networks.length, invalidLines: invalidLines.slice(0, 10) };
    log[invalidLines.length > 0 ? "warn" : "info"]({ event: "data_centers.read", ...found });
  } catch (error) {
    log.error({ event: "data_centers.unreadable", path, error: String(error) });
  }
}

export function networksIn(text: string): { networks: Range[]; invalidLines: number[] } {
  const found: Range[] = [];
  const invalidLines: number[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const network = line.replace(/[#;].*$/, "").trim();
    if (network === "") continue;
    const range = rangeOf(network);
    if (range) found.push(range);
    else invalidLines.push(at + 1);
  }
  return { networks: merge(found), invalidLines };
}

function merge(ranges: Range[]): Range[] {
  ranges.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const merged: [bigint, bigint][] = [];
  for (const [first, last] of ranges) {
    const before = merged.at(-1);
    if (!before || first > before[1] + 1n) merged.push([first, last]);
    else if (last > before[1]) before[1] = last;
  }
  return merged;
}

function rangeOf(network: string): Range | undefined {
  const [address = "", given, ...rest] = network.split("/");
  if (rest.length > 0 || !ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.parse(address);
  const width = parsed.kind() === "ipv4" ? 32 : 128;
  const prefix = given === undefined ? width : Number(given);
  if (!/^\d*$/.test(given ?? "") || given === "" || prefix > width) return undefined;
  const hostBits = BigInt(width - prefix);
  const first = (numberOf(parsed) >> hostBits) << hostBits;
  return [first, first | ((1n << hostBits) - 1n)];
}

function numberOf(address: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  const whole = "octets" in address ? address.toIPv4MappedAddress() : address;
  return whole.parts.reduce((number, part) => (number << 16n) | BigInt(part), 0n);
}

export function isDataCenter(address: string): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
  const number = numberOf(ipaddr.parse(address));
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = ranges[middle] ?? [0n, 0n];
    if (number < first) high = middle - 1;
    else if (number > last) low = middle + 1;
    else return true;
  }
  return false;
}
