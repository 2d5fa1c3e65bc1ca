/** Which network addresses outgoing requests may reach: public ones, and nothing internal. */
import ipaddr from "ipaddr.js";

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Public by range, but served by the provider of the machine: Azure's agent hands out its certificates. */
const providerAddresses = new Set(["168.63.129.16"]);

export type AddressKind = "public" | "loopback" | "private";

/**
 * The kind of an address. Anything not known to be public is private: shared, link-local, documentation, and such IPv4
 * addresses embedded in IPv6.
 */
export function addressKindOf(address: string): AddressKind {
  // Without a zone: `fe80::1%eth0` is valid on this machine only.
  if (!ipaddr.isValid(address)) return "private";
  // `process` extracts an embedded IPv4 address.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === "loopback") return "loopback";
  // defence: provider-addresses-private
  if (range !== "unicast" || providerAddresses.has(parsed.toString())) return "private";
  return "octets" in parsed || parsed.match(globalUnicast) ? "public" : "private";
}
