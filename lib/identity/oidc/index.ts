/**
 * The protocol of OpenID Connect: discovery, the exchange of a code, refreshes and logout. next-auth
 * keeps state, nonce and PKCE in cookies of the provider; everything that goes over the network is
 * here, because the providers of workspaces may only be asked through safe-fetch.
 */
import * as oauth from "oauth4webapi";
import { z } from "zod";
import { keysOf, type OidcServer, requestOptions } from "./server.ts";

export { readLogoutToken } from "./logout-token.ts";
export {
  findServer,
  loadServer,
  type OidcClient,
  type OidcServer,
  type ServerOutcome,
} from "./server.ts";

/** Clocks of providers may differ by this. */
const clockToleranceSeconds = 30;
const subjectCharsMax = 255;
const groupsMax = 1_000;

export interface OidcTokens {
  idToken: string | undefined;
  refreshToken: string | undefined;
}

export interface OidcIdentity {
  subject: string;
  email: string;
  /** Undefined: the provider does not say. */
  emailVerified: boolean | undefined;
  name: string;
  /** Undefined: the provider does not say. An empty list says that there are none. */
  groups: string[] | undefined;
  /** The session at the provider, which its logout names. */
  sid: string | undefined;
  tokens: OidcTokens;
}

/** What next-auth stored in its cookies before it sent the person to the provider. */
export interface OidcChecks {
  state?: string | undefined;
  nonce?: string | undefined;
  code_verifier?: string | undefined;
}

function clientOf({ client }: OidcServer): oauth.Client {
  return { client_id: client.clientId, [oauth.clockTolerance]: clockToleranceSeconds };
}

function authOf({ as, client }: OidcServer): oauth.ClientAuth {
  const methods = as.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(client.clientSecret)
    : oauth.ClientSecretPost(client.clientSecret);
}

/** Throws if anything is not as the provider signed it for this client, browser and attempt. */
export async function exchangeCode(
  server: OidcServer,
  answer: URLSearchParams,
  { state, nonce, code_verifier: verifier }: OidcChecks,
  groupsClaim: string,
): Promise<OidcIdentity> {
  if (!state || !nonce || !verifier) throw new Error("The sign-in was not started here");
  const { as } = server;
  const client = clientOf(server);
  const options = requestOptions(server);
  // Also compares `iss` with the issuer (RFC 9207).
  const checked = oauth.validateAuthResponse(as, client, answer, state);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authOf(server),
    checked,
    server.client.callbackUrl,
    verifier,
    options,
  );
  // defence: oidc-nonce
  const checks = { expectedNonce: nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, checks);
  // defence: oidc-signature
  await oauth.validateApplicationLevelSignature(as, response, { ...options, ...keysOf(server) });
  const signed = oauth.getValidatedIdTokenClaims(tokens);
  if (!signed) throw new Error("The provider sent no ID token");
  const isWhole = signed["email"] !== undefined && signed[groupsClaim] !== undefined;
  const more = isWhole ? {} : await readUserInfo(server, tokens.access_token, signed.sub);
  return identityOf({ ...more, ...signed }, groupsClaim, tokens);
}

/** Some providers send addresses and groups only there. */
async function readUserInfo(
  server: OidcServer,
  accessToken: string,
  subject: string,
): Promise<object> {
  if (!server.as.userinfo_endpoint) return {};
  const { as } = server;
  const response = await oauth.userInfoRequest(
    as,
    clientOf(server),
    accessToken,
    requestOptions(server),
  );
  return await oauth.processUserInfoResponse(as, clientOf(server), subject, response);
}

/** Entra ID and others send the texts "true" and "false". */
const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);

const claimsShape = z.object({
  sub: z.string().min(1).max(subjectCharsMax),
  email: z.string().default(""),
  email_verified: flag.optional(),
  name: z.string().nullish(),
  sid: z.string().max(subjectCharsMax).optional(),
});
const groupsShape = z.union([
  z.array(z.string()).max(groupsMax),
  z.string().transform((text) => [text]),
]);

function identityOf(
  given: Record<string, unknown>,
  groupsClaim: string,
  tokens: oauth.TokenEndpointResponse,
): OidcIdentity {
  const { sub, email, email_verified, name, sid } = claimsShape.parse(given);
  const groups = groupsShape.safeParse(given[groupsClaim]);
  return {
    subject: sub,
    email,
    emailVerified: email_verified,
    name: name ?? "",
    groups: groups.success ? groups.data : undefined,
    sid,
    tokens: { idToken: tokens.id_token, refreshToken: tokens.refresh_token },
  };
}

export type RefreshOutcome =
  | { ok: true; tokens: OidcTokens }
  /** `ended`: the provider ended the person's access. `away`: it gave no answer, or one that says nothing about it. */
  | { ok: false; code: "ended" | "away" };

export async function refreshTokens(
  server: OidcServer,
  { idToken, refreshToken }: { idToken: string | undefined; refreshToken: string },
  subject: string,
): Promise<RefreshOutcome> {
  const { as } = server;
  const client = clientOf(server);
  try {
    const response = await oauth.refreshTokenGrantRequest(
      as,
      client,
      authOf(server),
      refreshToken,
      requestOptions(server),
    );
    const tokens = await oauth.processRefreshTokenResponse(as, client, response);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    // defence: oidc-refresh-subject
    if (claims && claims.sub !== subject) return { ok: false, code: "ended" };
    const next = {
      idToken: tokens.id_token ?? idToken,
      refreshToken: tokens.refresh_token ?? refreshToken,
    };
    return { ok: true, tokens: next };
  } catch (error) {
    // defence: oidc-invalid-grant
    const ended = error instanceof oauth.ResponseBodyError && error.error === "invalid_grant";
    return { ok: false, code: ended ? "ended" : "away" };
  }
}

/** Where the browser ends the session at the provider. Undefined: the provider has no such page. */
export function logoutUrlOf(
  { as, client }: OidcServer,
  idToken: string | undefined,
  returnTo: string,
): string | undefined {
  if (!as.end_session_endpoint) return undefined;
  const url = new URL(as.end_session_endpoint);
  url.searchParams.set("client_id", client.clientId);
  url.searchParams.set("post_logout_redirect_uri", returnTo);
  if (idToken !== undefined) url.searchParams.set("id_token_hint", idToken);
  return url.href;
}
