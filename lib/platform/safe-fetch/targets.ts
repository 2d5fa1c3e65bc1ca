/** Decides which URLs and addresses outgoing requests may reach. */
import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { config, type PrivateNetwork } from "#lib/platform/config";
import { type DnsAnswer, queryDns } from "#lib/platform/dns";

export type Resolver = (host: string) => Promise<LookupAddress[]>;

const webPorts = new Set(["", "80", "443", "8080", "8443"]);
const usualPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** The host without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** For requests with secrets or personal data. They are sent unencrypted only to opened networks and, in tests, to this machine. */
export interface Reach {
  /** Private networks that the administrator has opened for the workspace. */
  networks: readonly PrivateNetwork[];
  /** Addresses of this machine and its stores, which no opened network includes. */
  own?: ReadonlySet<string>;
  /** Only the opened networks: this server has no access to the internet. */
  isOffline?: boolean;
}

/** Checks the URL as written. The addresses of a name are checked on connecting. */
export function isAllowedUrl(url: URL, reach?: Reach): boolean {
  const { protocol, username, password } = url;
  if (protocol !== "http:" && protocol !== "https:") return false;
  if (username !== "" || password !== "") return false;
  const host = hostOf(url);
  if (isIP(host) !== 0) return isAllowedAddress(host, url, reach);
  if (allowsLoopback() && (mayBePlain(url, reach) || host === "localhost")) return true;
  return mayBePublic(url, reach) || (reach?.networks.some((one) => hasPort(one, url)) ?? false);
}

/** Whether a connection for this URL may use the address. */
export function isAllowedAddress(address: string, url: URL, reach?: Reach): boolean {
  const kind = addressKindOf(address);
  if (kind === "loopback") return allowsLoopback();
  if (kind === "public") return mayBePublic(url, reach);
  return reach !== undefined && isOpened(address, url, reach);
}

function mayBePlain({ protocol }: URL, reach: Reach | undefined): boolean {
  return protocol === "https:" || reach === undefined;
}

function mayBePublic(url: URL, reach: Reach | undefined): boolean {
  return webPorts.has(url.port) && mayBePlain(url, reach) && !reach?.isOffline;
}

/** In the private ranges, but of the provider: metadata and other services of AWS and Google Cloud. */
const providerNetworks = [ipaddr.parseCIDR("fd00:ec2::/32"), ipaddr.parseCIDR("fd20:ce::/32")];

function isOpened(address: string, url: URL, { networks, own }: Reach): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const isIn = ([start, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]) =>
    start.kind() === parsed.kind() && parsed.match(start, bits);
  // defence: own-addresses-stay-closed
  if (own?.has(parsed.toString()) || providerNetworks.some(isIn)) return false;
  return networks.some((one) => hasPort(one, url) && isIn(ipaddr.parseCIDR(one.network)));
}

function hasPort({ port }: PrivateNetwork, url: URL): boolean {
  return port === null ? webPorts.has(url.port) : port === (url.port || usualPorts[url.protocol]);
}

function allowsLoopback(): boolean {
  return config().FUXI_FETCH === "loopback";
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
export function checkedLookup(
  resolve: Resolver,
  isAllowed: (address: string) => boolean = isReachable,
): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (found) => {
        const [first] = found;
        if (!first || !found.every(({ address }) => isAllowed(address))) {
          // As for a name that does not exist.
          const error = new Error("The host doesn’t resolve to allowed IP addresses");
          done(Object.assign(error, { code: "ENOTFOUND" }), "", 0);
        } else if (options.all) done(null, found);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, "", 0),
    );
  };
}

function isReachable(address: string): boolean {
  const kind = addressKindOf(address);
  return kind === "public" || (kind === "loopback" && allowsLoopback());
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
