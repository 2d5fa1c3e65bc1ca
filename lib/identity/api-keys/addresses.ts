/** The addresses and networks that a key accepts calls from. */
import { BlockList, isIP } from "node:net";

const mappedPrefix = /^::ffff:(?=\d+\.)/i;

/** An address in the notation of lists: IPv4-mapped IPv6 becomes IPv4, and zones are removed. */
export function normalizeAddress(address: string): string {
  return address.replace(mappedPrefix, "").replace(/%.*$/, "");
}

/** A list with constant-time lookup, of any length; undefined when there is none and every address is accepted. */
export function compileAddresses(entries: readonly string[]): BlockList | undefined {
  if (entries.length === 0) return undefined;
  const list = new BlockList();
  for (const entry of entries) {
    const [network = "", bits] = entry.split("/", 2);
    const family = familyOf(network);
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return list;
}

export function isAllowedAddress(list: BlockList | undefined, address: string): boolean {
  if (!list) return true;
  const plain = normalizeAddress(address);
  return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4";
}
