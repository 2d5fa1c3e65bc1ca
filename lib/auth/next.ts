/** How next-auth signs people in here: one provider, our sessions, our origin. */
import type { AuthOptions } from "next-auth";
import type { CredentialsConfig } from "next-auth/providers/credentials";
import { config, setNextAuthUrl } from "#lib/config";
import { log } from "#lib/log";
import { signIn } from "./people.ts";
import { beginSession, endSession, findSession, sessionCookie, sessionDays } from "./sessions.ts";

// Written out, because next-auth's own function for it is a module that Node and Next import in two different shapes.
const passwordProvider: CredentialsConfig = {
  id: "password",
  name: "E-mail and password",
  type: "credentials",
  credentials: { email: {}, password: {} },
  authorize: async (credentials, request) => {
    // The front has replaced what the client claimed (lib/http), so this is the visitor's address.
    const address = String(request.headers?.["x-forwarded-for"] ?? "");
    const outcome = await signIn(credentials, address);
    if (outcome.ok) return outcome.user;
    // next-auth knows refusals of two kinds: null is a wrong password, a thrown text reaches the page as it is.
    if (outcome.code === "too_many") throw new Error("too_many");
    return null;
  },
};

/** Sends people only to pages of ours, whatever address they came with. */
export function ownAddress(url: string): string {
  const own = config().FUXI_URL;
  const target = URL.canParse(url, own) ? new URL(url, own) : undefined;
  return target?.origin === own ? target.href : `${own}/app`;
}

/** The options of next-auth. A function, because a build without configuration imports this module too. */
export function authOptions(): AuthOptions {
  setNextAuthUrl();
  const { name, secure } = sessionCookie();
  return {
    secret: config().FUXI_SESSION_SECRET,
    session: { strategy: "jwt", maxAge: sessionDays * 86_400 },
    useSecureCookies: secure,
    cookies: {
      sessionToken: { name, options: { httpOnly: true, sameSite: "lax", path: "/", secure } },
    },
    pages: { signIn: "/signin", error: "/signin", signOut: "/signout" },
    providers: [passwordProvider],
    callbacks: {
      redirect: ({ url }) => ownAddress(url),
      jwt: async ({ token, user }) => (user ? { sid: await beginSession(user.id) } : token),
      session: async ({ session, token }) => {
        const user = await findSession(String(token["sid"]));
        // Thrown, because only then does next-auth answer "nobody" and take the cookie back.
        if (!user) throw new Error("This session has ended");
        return { expires: session.expires, user: { name: user.name, email: user.email } };
      },
    },
    events: { signOut: ({ token }) => endSession(String(token["sid"])) },
    logger: {
      error: (code, details) =>
        log.debug({ event: "auth.refused", code, details: String(details) }),
      warn: (code) => log.debug({ event: "auth.warned", code }),
    },
  };
}
