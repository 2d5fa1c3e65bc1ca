/** Decides which URLs and addresses outgoing requests may reach. */
import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { config } from "#lib/platform/config";
import { type DnsAnswer, queryDns } from "#lib/platform/dns";

export type Resolver = (host: string) => Promise<LookupAddress[]>;

const webPorts = new Set(["", "80", "443", "8080", "8443"]);

/** Checks the URL as written. The addresses of a name are checked on connecting. */
export function isAllowedUrl({ protocol, port, hostname, username, password }: URL): boolean {
  if (protocol !== "http:" && protocol !== "https:") return false;
  if (username !== "" || password !== "") return false;
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (isIP(literal) === 0) return webPorts.has(port) || allowsLoopback();
  return isAllowed(literal) && (webPorts.has(port) || addressKindOf(literal) === "loopback");
}

function allowsLoopback(): boolean {
  return config().FUXI_FETCH === "loopback";
}

function isAllowed(address: string): boolean {
  const reach = addressKindOf(address);
  return reach === "public" || (reach === "loopback" && allowsLoopback());
}

/** Avoids `dns.lookup`, which blocks one of the four threads for files while a server is silent. */
export async function resolveAll(host: string): Promise<LookupAddress[]> {
  if (/^(?:.+\.)?localhost\.?$/i.test(host)) return [{ address: "127.0.0.1", family: 4 }];
  // defence: lookups-without-threads
  return await queryDns(async ({ a, aaaa }) => {
    const [v4, v6] = await Promise.all([a(host), aaaa(host)]);
    return [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
  });
}

function addressesOf(answer: DnsAnswer, family: 4 | 6): LookupAddress[] {
  return answer.kind === "found" ? answer.values.map((address) => ({ address, family })) : [];
}

/** Returns only checked addresses, so the name cannot change any more. */
export function checkedLookup(resolve: Resolver): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (found) => {
        const [first] = found;
        if (!first || !found.every(({ address }) => isAllowed(address))) {
          done(new Error("The host doesn’t resolve to public IP addresses"), "", 0);
        } else if (options.all) done(null, found);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, "", 0),
    );
  };
}

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** In a public range, but internal: Azure's agent hands out certificates there. */
const providerAddresses = new Set(["168.63.129.16"]);

type AddressKind = "public" | "loopback" | "private";

/** Addresses that are not known to be public are private, even if they are embedded in IPv6. */
export function addressKindOf(address: string): AddressKind {
  // An address with a zone (`fe80::1%eth0`) is valid on this machine only.
  if (!ipaddr.isValid(address)) return "private";
  // `process` extracts an embedded IPv4 address.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === "loopback") return "loopback";
  // defence: provider-addresses-private
  if (range !== "unicast" || providerAddresses.has(parsed.toString())) return "private";
  return "octets" in parsed || parsed.match(globalUnicast) ? "public" : "private";
}
