import { LRUCache } from "lru-cache";
import * as oauth from "oauth4webapi";
import { atMost } from "#lib/basics/bounds";
import { parseUrl } from "#lib/basics/urls/schema";
import type { PrivateNetwork } from "#lib/platform/config";
import { getPublic, postPublic } from "#lib/platform/safe-fetch";

export interface OidcClient {
  /** Unique per provider and its version, because a changed provider must not use what was loaded before. */
  key: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  callbackUrl: string;
  scope: string;
  /** The private networks of the workspace; null for the provider of the instance, which may be anywhere. */
  networks: readonly PrivateNetwork[] | null;
}

export interface OidcServer {
  as: oauth.AuthorizationServer;
  /** Loaded with the first token, and again for a token with an unknown key. */
  keys: oauth.JWKSCacheInput;
  client: OidcClient;
}

export type ServerOutcome =
  | { ok: true; server: OidcServer }
  /** `reason`: what exactly was wrong, in the words of the provider or the standard. */
  | { ok: false; code: "unreachable" | "invalid" | "endpoints" | "pkce"; reason: string };

const timeoutMs = 5_000;
const bytesMax = 512 * 1_024;
const cachedMax = 1_000;
/** How long endpoints are remembered, and how long that there are none. */
const cachedMs = 600_000;
const failedMs = 5_000;
const outcomes = new LRUCache<string, Promise<ServerOutcome>>({
  ...atMost(cachedMax),
  ttl: cachedMs,
});

/** From memory for some minutes. However many people sign in, one request asks the provider. */
export async function findServer(client: OidcClient): Promise<ServerOutcome> {
  const known = outcomes.get(client.key);
  const asked = known ?? loadServer(client);
  if (!known) outcomes.set(client.key, asked);
  const outcome = await asked;
  if (outcome.ok) return { ok: true, server: { ...outcome.server, client } };
  if (!known) outcomes.set(client.key, asked, { ttl: failedMs });
  return outcome;
}

/** Asks the provider, and checks that it can do what a sign-in needs. */
export async function loadServer(client: OidcClient): Promise<ServerOutcome> {
  const issuer = new URL(client.issuer);
  const options = { algorithm: "oidc", ...optionsOf(client) } as const;
  let response: Response;
  try {
    response = await oauth.discoveryRequest(issuer, options);
  } catch {
    return { ok: false, code: "unreachable", reason: client.issuer };
  }
  if (!response.ok) return { ok: false, code: "unreachable", reason: `HTTP ${response.status}` };
  let as: oauth.AuthorizationServer;
  try {
    // defence: oidc-issuer
    as = await oauth.processDiscoveryResponse(issuer, response);
  } catch (error) {
    return { ok: false, code: "invalid", reason: reasonOf(error) };
  }
  const missing = endpointsMissing(as, issuer);
  if (missing.length > 0) return { ok: false, code: "endpoints", reason: missing.join(", ") };
  // Entra ID supports PKCE without saying so: only a list without it is refused.
  const methods = as.code_challenge_methods_supported;
  if (methods && !methods.includes("S256")) {
    return { ok: false, code: "pkce", reason: methods.join(", ") };
  }
  return { ok: true, server: { as, keys: {}, client } };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Object ? error.cause : {};
  const found = "body" in cause && cause.body instanceof Object ? cause.body : {};
  const issuer = "issuer" in found ? ` (issuer: ${String(found.issuer)})` : "";
  return `${error instanceof Error ? error.message : String(error)}${issuer}`;
}

/** Browsers are sent to two of them, so a script as a URL must never pass. */
function endpointsMissing(as: oauth.AuthorizationServer, issuer: URL): string[] {
  const needed = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;
  const optional = ["userinfo_endpoint", "end_session_endpoint"] as const;
  // defence: oidc-web-endpoints
  const isWeb = (url: string) =>
    ["https:", issuer.protocol].includes(parseUrl(url)?.protocol ?? "");
  return [
    ...needed.filter((name) => !isWeb(as[name] ?? "")),
    ...optional.filter((name) => as[name] !== undefined && !isWeb(as[name] ?? "")),
  ];
}

export function requestOptions({ client }: OidcServer) {
  return optionsOf(client);
}

/** Whether http is permitted is decided by safe-fetch, or by the administrator of the instance. */
function optionsOf({ networks }: OidcClient) {
  return {
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: networks === null ? fetchAnywhere : fetchIn(networks),
    signal: () => AbortSignal.timeout(timeoutMs),
  };
}

export function keysOf({ keys }: OidcServer) {
  return { [oauth.jwksCache]: keys };
}

interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

async function fetchAnywhere(url: string, options: FetchOptions): Promise<Response> {
  const { method, headers, signal } = options;
  const body = textOf(options.body);
  return await fetch(url, {
    method,
    headers,
    redirect: "manual",
    ...(signal ? { signal } : {}),
    ...(body === undefined ? {} : { body }),
  });
}

function fetchIn(networks: readonly PrivateNetwork[]) {
  return async (url: string, { method, headers, body }: FetchOptions): Promise<Response> => {
    const call = { url, headers, timeoutMs, bytesMax, networks };
    const text = textOf(body);
    // defence: oidc-safe-fetch
    const outcome =
      method === "GET" ? await getPublic(call) : await postPublic({ ...call, body: text ?? "" });
    if (outcome.kind !== "answered") throw new TypeError("The provider can’t be reached");
    const { status, type, bytes } = outcome;
    return new Response(bodyless.has(status) ? null : new Uint8Array(bytes), {
      status,
      headers: { "content-type": type },
    });
  };
}

const bodyless = new Set([204, 205, 304]);

function textOf(body: unknown): string | undefined {
  return body === undefined || body === null ? undefined : String(body);
}
