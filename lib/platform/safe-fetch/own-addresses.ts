/**
 * The addresses of this machine and of the stores and servers in the settings. Names are resolved as the drivers do,
 * also from the hosts file.
 */
import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { parseUrl } from "#lib/basics/urls/schema";
import { config } from "#lib/platform/config";
import { hostOf } from "./targets.ts";

const keptMs = 60_000;

let known: { until: number; addresses: Promise<ReadonlySet<string>> } | undefined;

/** Throws if a name cannot be resolved: then no private address is used. */
export async function ownAddresses(): Promise<ReadonlySet<string>> {
  if (!known || known.until < Date.now()) {
    known = { until: Date.now() + keptMs, addresses: readAddresses() };
    known.addresses.catch(() => {
      known = undefined;
    });
  }
  return await known.addresses;
}

async function readAddresses(): Promise<ReadonlySet<string>> {
  const found = await Promise.all(ownHosts().map((host) => lookup(host, { all: true })));
  const machine = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set([...found.flat(), ...machine].map(({ address }) => plain(address)));
}

/** As it is compared: IPv4 embedded in IPv6 counts as IPv4. */
function plain(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

function ownHosts(): string[] {
  const values = config();
  const addresses = [
    values.DATABASE_URL,
    ...values.DATABASE_READ_URL,
    values.DATABASE_DIRECT_URL,
    values.REDIS_URL,
    values.REDIS_CACHE_URL,
    values.REDIS_CLICKS_URL,
    values.REDIS_QUEUE_URL,
    values.REDIS_LIMITS_URL,
    values.FUXI_S3_URL,
    values.FUXI_WEB_URL,
  ];
  // One URL may name several servers: postgres://a:5432,b:5432/fuxi
  const servers = addresses.flatMap((address) => address?.split(",") ?? []);
  return servers.flatMap((server) => {
    const url = parseUrl(/^\s*\w+:\/\//.test(server) ? server : `redis://${server.trim()}`);
    return url && url.hostname !== "" ? [hostOf(url)] : [];
  });
}
