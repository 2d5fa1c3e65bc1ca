/**
 * Whether a host may have a certificate. A TLS proxy such as Caddy asks before it requests or loads
 * one, for arbitrary names from handshakes:
 *
 *     GET /.well-known/fuxi-certificate?domain=go.example.com → 200: yes, 404: no, 503: try again
 *
 * Yes for active domains and for the instance’s own hosts. The answer comes from the redirect’s
 * cache and stays the same while PostgreSQL is unavailable. At most `lookupsMax` uncached names are
 * looked up at a time, so a flood of invented names costs few queries. Unauthorized requests get
 * the answer of a missing link.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { hostEntry } from "#lib/links/link-cache";
import { config } from "#lib/platform/config";
import { mayAskForCertificates } from "#lib/platform/http";
import { log } from "#lib/platform/log";
import { hosts } from "#lib/redirect/targets";

const path = "/.well-known/fuxi-certificate?";
export const lookupsMax = 100;
const hostCharsMax = 253;
const hostName = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;

/** By host. Requests for the same name share a running lookup. */
const lookups = new Map<string, Promise<boolean>>();

/** Requests with the token on the public port. False: another request, nothing was sent. */
export function answerCertificate(req: IncomingMessage, res: ServerResponse): boolean {
  const query = queryOf(req);
  if (!query || !mayAskForCertificates(req, query.get("token"))) return false;
  void certify(res, query.getAll("domain"));
  return true;
}

export function answerLocalCertificate(req: IncomingMessage, res: ServerResponse): void {
  const query = queryOf(req);
  if (query) void certify(res, query.getAll("domain"));
  else send(res, 404);
}

function queryOf({ method, url }: IncomingMessage): URLSearchParams | undefined {
  if (!url?.startsWith(path) || (method !== "GET" && method !== "HEAD")) return undefined;
  return new URLSearchParams(url.slice(path.length));
}

async function certify(res: ServerResponse, domains: string[]): Promise<void> {
  const [domain = "", ...more] = domains;
  const host = domain.toLowerCase().replace(/\.$/, "");
  if (more.length > 0 || host.length > hostCharsMax) return send(res, 404);
  if (isOwn(host)) return send(res, 200);
  if (!hostName.test(host)) return send(res, 404);
  const cached = hosts.peek(hostEntry(host), Date.now());
  if (cached !== undefined) return send(res, cached ? 200 : 404);
  const lookup = lookups.get(host) ?? lookUpHost(host);
  if (!lookup) return send(res, 503);
  try {
    send(res, (await lookup) ? 200 : 404);
  } catch (error) {
    log.warn({ event: "certificate.unavailable", error: String(error) });
    send(res, 503);
  }
}

/** Undefined: too many lookups are running. */
function lookUpHost(host: string): Promise<boolean> | undefined {
  if (lookups.size >= lookupsMax) return undefined;
  const lookup = hosts
    .find(hostEntry(host))
    .then((found) => found !== undefined)
    .finally(() => lookups.delete(host));
  lookups.set(host, lookup);
  return lookup;
}

function isOwn(host: string): boolean {
  const { FUXI_URL, FUXI_SHORT_HOST } = config();
  return host === new URL(FUXI_URL).hostname || host === FUXI_SHORT_HOST;
}

function send(res: ServerResponse, status: 200 | 404 | 503): void {
  res.writeHead(status, { "Cache-Control": "no-store", "Content-Length": "0" }).end();
}
