/** Which URLs and addresses outgoing requests may go to. */
import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { config } from "#lib/platform/config";
import { type DnsAnswer, queryDns } from "#lib/platform/dns";
import { addressKindOf } from "./addresses.ts";

export type Resolver = (host: string) => Promise<LookupAddress[]>;

const webPorts = new Set(["", "80", "443", "8080", "8443"]);

/** Whether the URL as written is allowed. A name is checked by its addresses, on connecting. */
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

/**
 * The addresses of a name, from the resolvers of the instance. `dns.lookup` would take one of the four threads that files
 * and passwords need, for as long as the server of a stranger does not answer.
 */
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

/** Resolves a name for a connection and returns only checked addresses: from here on the name cannot change. */
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
