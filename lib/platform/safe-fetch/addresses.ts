/** Which addresses of the network this server asks for others: the public ones, and nothing within its own reach. */
import ipaddr from "ipaddr.js";

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Public by their range, but answered by the provider of the machine: the agent of Azure hands out its certificates. */
const providerAddresses = new Set(["168.63.129.16"]);

export type Reach = "public" | "loopback" | "private";

/**
 * Where an address leads. Whatever is not known to be public is private: shared, link-local, documentation, and what
 * holds an IPv4 address of such a kind inside an IPv6 one.
 */
export function reachOf(address: string): Reach {
  // Without a zone: `fe80::1%eth0` is a way of writing that only this machine knows.
  if (!ipaddr.isValid(address)) return "private";
  // `process` takes an IPv4 address out of the IPv6 one that holds it.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === "loopback") return "loopback";
  if (range !== "unicast" || providerAddresses.has(parsed.toString())) return "private";
  return "octets" in parsed || parsed.match(globalUnicast) ? "public" : "private";
}
