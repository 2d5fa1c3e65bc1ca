import { BlockList, isIP } from "node:net";

export type Networks = BlockList;

/** From addresses and networks as `network` (schema.ts) accepts them. */
export function compileNetworks(entries: readonly string[]): Networks {
  const list = new BlockList();
  for (const entry of entries) {
    const [network = "", bits] = entry.split("/", 2);
    const family = familyOf(network);
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return list;
}

export function hasAddress(networks: Networks, address: string): boolean {
  const plain = normalizeAddress(address);
  return isIP(plain) !== 0 && networks.check(plain, familyOf(plain));
}

const mappedPrefix = /^::ffff:(?=\d+\.)/i;

/** IPv4-mapped IPv6 becomes IPv4, and zones are removed. */
export function normalizeAddress(address: string): string {
  return address.replace(mappedPrefix, "").replace(/%.*$/, "");
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4";
}
