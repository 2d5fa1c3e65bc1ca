/** Replaces next-auth's own providers, because Node and Next import these modules in different shapes. */
import type { CredentialsConfig } from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { z } from "zod";
import { arePasskeysPossible } from "#lib/identity/passkeys";
import { instanceClient } from "#lib/identity/sso-providers";
import { instanceProvider } from "#lib/identity/sso-providers/schema";
import { config } from "#lib/platform/config";
import { AppError, isUnavailable } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import type { OAuthIdentity } from "./oauth.ts";
import {
  type Browser,
  type SignInOutcome,
  signInByEmail,
  signInByPasskey,
  signInWithPassword,
} from "./people.ts";

const askTimeoutMs = 5_000;

/** In next-auth, null means a wrong password, and a thrown text reaches the page unchanged. */
async function asNextAuthUser(signingIn: Promise<SignInOutcome>) {
  const outcome = await signingIn.catch((error: unknown) => {
    // Too many passwords are being checked: this one may be right.
    if (error instanceof AppError && error.code === "service_unavailable") throw new Error("busy");
    log.error({ event: "auth.failed", error: error instanceof Error ? error.stack : error });
    throw new Error(isUnavailable(error) ? "service_unavailable" : "failed");
  });
  if (outcome.ok) return outcome.user;
  if (outcome.code === "wrong") return null;
  if (outcome.code === "banned") throw new Error(`banned:${outcome.token}`);
  throw new Error(outcome.code);
}

function addressOf(headers: Record<string, unknown> | undefined): string {
  return String(headers?.["x-forwarded-for"] ?? "");
}

function byPassword(browser: Browser): CredentialsConfig {
  return {
    id: "password",
    name: "Email and password",
    type: "credentials",
    credentials: { email: {}, password: {}, code: {} },
    authorize: (credentials, { headers }) =>
      asNextAuthUser(signInWithPassword(credentials, addressOf(headers), browser)),
  };
}

function byEmail(browser: Browser): CredentialsConfig {
  return {
    id: "letter",
    name: "Letter",
    type: "credentials",
    credentials: { token: {}, code: {} },
    authorize: (proof, { headers }) =>
      asNextAuthUser(signInByEmail(proof, addressOf(headers), browser)),
  };
}

function byPasskey(browser: Browser): CredentialsConfig {
  return {
    id: "passkey",
    name: "Passkey",
    type: "credentials",
    credentials: { answer: {} },
    authorize: (given, { headers }) =>
      asNextAuthUser(signInByPasskey(given, addressOf(headers), browser)),
  };
}

const nameCharsMax = 64;

export function displayNameOf(name: string | null | undefined, email: string): string {
  return (name?.trim() || email.split("@")[0] || email).slice(0, nameCharsMax);
}

const googleProfile = z.object({
  sub: z.string().min(1),
  email: z.string(),
  email_verified: z.boolean().default(false),
  name: z.string().nullish(),
});

export function readGoogle(profile: unknown): OAuthIdentity {
  const { sub, email, email_verified, name } = googleProfile.parse(profile);
  const identity = { provider: "google", subject: sub, email, emailProven: email_verified };
  return { ...identity, name: displayNameOf(name, email) };
}

const githubProfile = z.object({
  id: z.int(),
  login: z.string(),
  name: z.string().nullish(),
  emails: z
    .array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))
    .default([]),
});

export function readGithub(profile: unknown): OAuthIdentity {
  const { id, login, name, emails } = githubProfile.parse(profile);
  const main = emails.find((one) => one.primary);
  const identity = { provider: "github", subject: String(id), email: main?.email ?? "" };
  return { ...identity, emailProven: main?.verified ?? false, name: displayNameOf(name, login) };
}

const readers: Record<string, (profile: unknown) => OAuthIdentity> = {
  google: readGoogle,
  github: readGithub,
};

export function readOAuthIdentity(provider: string, profile: unknown): OAuthIdentity | undefined {
  return readers[provider]?.(profile);
}

interface Client {
  clientId: string;
  clientSecret: string;
}

function google(client: Client): OAuthConfig<unknown> {
  return {
    ...client,
    id: "google",
    name: "Google",
    type: "oauth",
    wellKnown: "https://accounts.google.com/.well-known/openid-configuration",
    authorization: { params: { scope: "openid email profile" } },
    idToken: true,
    checks: ["pkce", "state"],
    profile: (profile) => ({ ...readGoogle(profile), id: readGoogle(profile).subject }),
  };
}

function github(client: Client): OAuthConfig<unknown> {
  const api = "https://api.github.com/user";
  return {
    ...client,
    id: "github",
    name: "GitHub",
    type: "oauth",
    authorization: {
      url: "https://github.com/login/oauth/authorize",
      params: { scope: "read:user user:email" },
    },
    token: "https://github.com/login/oauth/access_token",
    userinfo: {
      url: api,
      request: async ({ tokens }): Promise<object> => {
        const token = tokens.access_token ?? "";
        const [profile, emails] = await Promise.all([
          fetchGithub(api, token),
          fetchGithub(`${api}/emails`, token),
        ]);
        return { ...z.looseObject({}).parse(profile), emails: z.array(z.unknown()).parse(emails) };
      },
    },
    checks: ["state"],
    profile: (profile) => ({ ...readGithub(profile), id: readGithub(profile).subject }),
  };
}

async function fetchGithub(address: string, token: string): Promise<unknown> {
  const response = await fetch(address, {
    headers: { Authorization: `Bearer ${token}`, "User-Agent": "fuxi" },
    signal: AbortSignal.timeout(askTimeoutMs),
  });
  if (!response.ok) throw new Error(`${address} returned status ${response.status}`);
  return await response.json();
}

export function oauthSites(): { id: string; name: string }[] {
  const sites = oauthProviders().map(({ id, name }) => ({ id, name }));
  return instanceClient()
    ? [...sites, { id: instanceProvider, name: config().FUXI_OIDC_NAME }]
    : sites;
}

function oauthProviders(): OAuthConfig<unknown>[] {
  const { FUXI_GOOGLE_ID, FUXI_GOOGLE_SECRET, FUXI_GITHUB_ID, FUXI_GITHUB_SECRET } = config();
  const found: OAuthConfig<unknown>[] = [];
  if (FUXI_GOOGLE_ID && FUXI_GOOGLE_SECRET) {
    found.push(google({ clientId: FUXI_GOOGLE_ID, clientSecret: FUXI_GOOGLE_SECRET }));
  }
  if (FUXI_GITHUB_ID && FUXI_GITHUB_SECRET) {
    found.push(github({ clientId: FUXI_GITHUB_ID, clientSecret: FUXI_GITHUB_SECRET }));
  }
  return found;
}

export function providers(browser: Browser, asked: OAuthConfig<unknown> | undefined) {
  const byKey = arePasskeysPossible() ? [byPasskey(browser)] : [];
  const added = asked ? [asked] : [];
  return [byPassword(browser), byEmail(browser), ...byKey, ...oauthProviders(), ...added];
}
