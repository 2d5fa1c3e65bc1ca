/** The address of a request's client, and its country if a proxy says so. */
import type { IncomingMessage } from "node:http";
import proxyAddr from "proxy-addr";
import { config } from "#lib/platform/config";

let trust: ((address: string, hop: number) => boolean) | undefined;

function compiledTrust(): (address: string, hop: number) => boolean {
  if (trust === undefined) {
    const proxies = config().FUXI_TRUSTED_PROXIES;
    trust = proxies.length > 0 ? proxyAddr.compile(proxies) : neverTrust;
  }
  return trust;
}

/** The visitor's address; proxy headers are used only from configured proxies. */
export function addressOf(req: IncomingMessage): string {
  const trusted = compiledTrust();
  if (trusted === neverTrust) return req.socket.remoteAddress ?? "";
  return proxyAddr(req, trusted);
}

const countryPattern = /^[A-Z]{2}$/;

/** The visitor's country by the header of a trusted proxy; empty without one. */
export function countryOf(req: IncomingMessage): string {
  const name = config().FUXI_COUNTRY_HEADER;
  if (name === undefined) return "";
  const country = req.headers[name];
  if (typeof country !== "string" || !countryPattern.test(country)) return "";
  // Anyone else could send it too.
  return compiledTrust()(req.socket.remoteAddress ?? "", 0) ? country : "";
}

function neverTrust(): boolean {
  return false;
}
