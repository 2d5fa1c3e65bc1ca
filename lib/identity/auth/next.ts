import type { AuthOptions } from "next-auth";
import { daySeconds } from "#lib/basics/time/schema";
import { parseUrl } from "#lib/basics/urls/schema";
import {
  beginSession,
  endSession,
  findSession,
  sessionCookie,
  sessionDays,
} from "#lib/identity/sessions";
import {
  logoutUrlOfSession,
  type PendingConnection,
  sealConnection,
} from "#lib/identity/single-sign-on";
import { config, setNextAuthUrl } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { type OAuthOutcome, signInWithOAuth } from "./oauth.ts";
import type { OidcAttempt } from "./oidc.ts";
import { type Browser, unknownBrowser } from "./people.ts";
import { providers, readOAuthIdentity } from "./providers.ts";
import type { WorkspaceSignIn } from "./workspace-sign-in.ts";

export function ownUrl(url: string): string {
  const own = config().FUXI_URL;
  const target = parseUrl(url, own);
  return target?.origin === own ? target.href : `${own}/app`;
}

function sessionIdOf(user: object): string | undefined {
  return "sessionId" in user && typeof user.sessionId === "string" ? user.sessionId : undefined;
}

/** What the response of a route needs to know beyond the one of next-auth. */
export interface SignInEvents {
  signedIn?: (email: string) => void;
  /** A cookie that is set even though nobody is signed in. */
  cookie?: (header: string) => void;
  /** Where the session at the provider is ended too. */
  signedOut?: (url: string) => void;
}

/**
 * A function, because a build without settings imports this too. `attempt`: the OpenID provider that the
 * path names.
 */
export function authOptions(
  browser: Browser = unknownBrowser,
  events: SignInEvents = {},
  attempt?: OidcAttempt,
): AuthOptions {
  setNextAuthUrl();
  const { name, secure } = sessionCookie();
  return {
    secret: config().FUXI_SESSION_SECRET,
    session: { strategy: "jwt", maxAge: sessionDays * daySeconds },
    useSecureCookies: secure,
    cookies: {
      sessionToken: { name, options: { httpOnly: true, sameSite: "lax", path: "/", secure } },
    },
    pages: { signIn: "/signin", error: "/signin", signOut: "/signout" },
    providers: providers(browser, attempt?.config),
    callbacks: {
      signIn: async ({ user, account, profile }) => {
        if (account?.type !== "oauth") return true;
        const outcome = await enter(account.provider, profile, browser, attempt);
        if (!outcome?.ok) return refusalPage(outcome, events);
        user.id = outcome.user.id;
        user.email = outcome.user.email;
        return true;
      },
      redirect: ({ url }) => ownUrl(url),
      // A connected account does not prove the second factor. If the user has one, this session waits for it.
      jwt: async ({ token, user }) =>
        user ? { sid: sessionIdOf(user) ?? (await beginOAuth(user.id, browser, attempt)) } : token,
      session: async ({ session, token }) => {
        const user = await findSession(String(token["sid"]));
        // Only when this throws does next-auth delete the cookie.
        if (!user) throw new Error("The session has expired");
        return { expires: session.expires, user: { name: user.name, email: user.email } };
      },
    },
    events: {
      signIn: ({ user }) => {
        // What a workspace’s provider says makes no browser known to the account itself.
        const isBound = attempt !== undefined && attempt.session().providerPk !== null;
        if (user.email && !isBound) events.signedIn?.(user.email);
      },
      signOut: async ({ token }) => {
        const sid = String(token["sid"]);
        const url = await logoutUrlOfSession(sid).catch(() => undefined);
        await endSession(sid);
        if (url !== undefined) events.signedOut?.(url);
      },
    },
    logger: {
      error: (code, details) =>
        log.debug({ event: "auth.refused", code, details: String(details) }),
      warn: (code) => log.debug({ event: "auth.warned", code }),
    },
  };
}

type EnterOutcome = OAuthOutcome | WorkspaceSignIn | undefined;

async function enter(
  provider: string,
  profile: unknown,
  browser: Browser,
  attempt: OidcAttempt | undefined,
): Promise<EnterOutcome> {
  if (attempt?.config.id === provider) return await attempt.enter(browser);
  const identity = readOAuthIdentity(provider, profile);
  return identity && (await signInWithOAuth(identity, browser));
}

function beginOAuth(
  userId: string,
  { userAgent, address }: Browser,
  attempt: OidcAttempt | undefined,
): Promise<string> {
  return beginSession(userId, userAgent, ["oauth"], { oidc: attempt?.session(), address });
}

function refusalPage(
  outcome: Exclude<EnterOutcome, { ok: true }>,
  { cookie }: SignInEvents,
): string {
  if (outcome?.code === "banned") return `/appeal?token=${outcome.token}`;
  if (outcome?.code !== "connect") return `/signin?error=${outcome?.code ?? "unknown"}`;
  const { pending }: { pending: PendingConnection } = outcome;
  cookie?.(sealConnection(pending));
  return "/signin/connect";
}
