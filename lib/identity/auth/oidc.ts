/**
 * An OpenID provider for next-auth, which keeps state, nonce and PKCE in cookies that name the
 * provider, and refuses those of another one. The exchange itself is in lib/identity/oidc.
 */
import type { OAuthConfig } from "next-auth/providers/oauth";
import { exchangeCode, findServer, type OidcIdentity, type OidcServer } from "#lib/identity/oidc";
import type { OidcSignIn } from "#lib/identity/oidc-sessions";
import { clientOfProvider } from "#lib/identity/sso-providers";
import { log } from "#lib/platform/log";
import { type OAuthOutcome, signInWithOAuth } from "./oauth.ts";
import type { Browser } from "./people.ts";
import { displayNameOf } from "./providers.ts";
import { signInToWorkspace, type WorkspaceSignIn } from "./workspace-sign-in.ts";

const instanceGroupsClaim = "groups";

/** One sign-in at a provider, from its path to its session. */
export interface OidcAttempt {
  config: OAuthConfig<unknown>;
  enter: (browser: Browser) => Promise<OAuthOutcome | WorkspaceSignIn>;
  /** What the session keeps, and what limits it. Throws before the provider has identified somebody. */
  session: () => OidcSignIn;
}

/** Undefined: no such provider, or it can’t be reached. */
export async function openOidcAttempt(name: string | undefined): Promise<OidcAttempt | undefined> {
  const opened = name === undefined ? undefined : await clientOfProvider(name);
  if (!opened || name === undefined) return undefined;
  const found = await findServer(opened.client);
  if (found.ok) return attemptOf(name, opened, found.server);
  log.warn({ event: "sso.away", provider: name, code: found.code, reason: found.reason });
  return undefined;
}

type OpenedProvider = NonNullable<Awaited<ReturnType<typeof clientOfProvider>>>;

function attemptOf(name: string, { row }: OpenedProvider, server: OidcServer): OidcAttempt {
  let known: OidcIdentity | undefined;
  const identify = (): OidcIdentity => {
    if (!known) throw new Error("The provider has identified nobody");
    return known;
  };
  const groupsClaim = row?.groupsClaim ?? instanceGroupsClaim;
  const { as, client } = server;
  const config: OAuthConfig<unknown> = {
    id: name,
    name: row?.name ?? name,
    type: "oauth",
    issuer: as.issuer,
    clientId: client.clientId,
    clientSecret: client.clientSecret,
    authorization: { url: String(as.authorization_endpoint), params: { scope: client.scope } },
    // defence: oidc-state
    checks: ["pkce", "state", "nonce"],
    token: {
      url: String(as.token_endpoint),
      request: async ({ params, checks }) => {
        const answer = new URLSearchParams(
          Object.entries(params).map(([key, value]) => [key, String(value)]),
        );
        known = await exchangeCode(server, answer, checks, groupsClaim);
        return { tokens: {} };
      },
    },
    userinfo: { request: () => Promise.resolve({ sub: identify().subject }) },
    profile: () => ({ id: identify().subject, email: identify().email }),
  };
  return {
    config,
    enter: async (browser) => {
      return row
        ? await signInToWorkspace(name, row, identify())
        : await signInWithOAuth(identityOfInstance(name, identify()), browser);
    },
    session: () => {
      const { subject, sid, tokens } = identify();
      return { providerPk: row?.pk ?? null, subject, sid, tokens };
    },
  };
}

/** Trusted like Google: only for addresses that it says it verified. */
function identityOfInstance(provider: string, identity: OidcIdentity) {
  const { subject, email, emailVerified, name } = identity;
  return {
    ...{ provider, subject, email },
    emailProven: emailVerified === true,
    name: displayNameOf(name, email),
  };
}
