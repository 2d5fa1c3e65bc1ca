/** The address of a request's client. */
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

function neverTrust(): boolean {
  return false;
}
