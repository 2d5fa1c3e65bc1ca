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
import { config, setNextAuthUrl } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { signInWithOAuth } from "./oauth.ts";
import { type Browser, unknownBrowser } from "./people.ts";
import { providers, readOAuthIdentity } from "./providers.ts";

export function ownUrl(url: string): string {
  const own = config().FUXI_URL;
  const target = parseUrl(url, own);
  return target?.origin === own ? target.href : `${own}/app`;
}

function sessionIdOf(user: object): string | undefined {
  return "sessionId" in user && typeof user.sessionId === "string" ? user.sessionId : undefined;
}

/** A function, because a build without settings imports this too. */
export function authOptions(
  browser: Browser = unknownBrowser,
  onSignIn: (email: string) => void = () => undefined,
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
    providers: providers(browser),
    callbacks: {
      signIn: async ({ user, account, profile }) => {
        if (account?.type !== "oauth") return true;
        const identity = readOAuthIdentity(account.provider, profile);
        const outcome = identity && (await signInWithOAuth(identity, browser));
        if (outcome?.ok === false && outcome.code === "banned") {
          return `/appeal?token=${outcome.token}`;
        }
        if (!outcome?.ok) return `/signin?error=${outcome?.code ?? "unknown"}`;
        user.id = outcome.user.id;
        user.email = outcome.user.email;
        return true;
      },
      redirect: ({ url }) => ownUrl(url),
      // A connected account does not prove the second factor. If the user has one, this session waits for it.
      jwt: async ({ token, user }) =>
        user
          ? {
              sid: sessionIdOf(user) ?? (await beginSession(user.id, browser.userAgent, ["oauth"])),
            }
          : token,
      session: async ({ session, token }) => {
        const user = await findSession(String(token["sid"]));
        // Only when this throws does next-auth delete the cookie.
        if (!user) throw new Error("The session has expired");
        return { expires: session.expires, user: { name: user.name, email: user.email } };
      },
    },
    events: {
      signIn: ({ user }) => {
        if (user.email) onSignIn(user.email);
      },
      signOut: ({ token }) => endSession(String(token["sid"])),
    },
    logger: {
      error: (code, details) =>
        log.debug({ event: "auth.refused", code, details: String(details) }),
      warn: (code) => log.debug({ event: "auth.warned", code }),
    },
  };
}
