/** Ends sessions when their provider says so, or can no longer say that they may go on. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { hourMs } from "#lib/basics/time/schema";
import { findServer, logoutUrlOf, readLogoutToken, refreshTokens } from "#lib/identity/oidc";
import {
  type EndReason,
  endOidcSessions,
  findOidcSession,
  keepOidcSession,
  type OidcSession,
  takeDueOidcSessions,
} from "#lib/identity/oidc-sessions";
import { clientOfProvider } from "#lib/identity/sso-providers";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { defineJob } from "#lib/platform/queue";

/** Where the browser ends the session at its provider. Undefined: nowhere, or the provider is away. */
export async function logoutUrlOfSession(sessionId: string): Promise<string | undefined> {
  const session = await findOidcSession(sessionId);
  const opened = session && (await clientOfProvider(session.providerPk));
  const found = opened && (await findServer(opened.client));
  if (!found?.ok) return undefined;
  return logoutUrlOf(found.server, session?.tokens.idToken, `${config().FUXI_URL}/signin`);
}

/** A call of the provider. False: no valid logout token. */
export async function endByProvider(name: string, token: string): Promise<boolean> {
  const opened = await clientOfProvider(name);
  const found = opened && (await findServer(opened.client));
  if (!found?.ok) return false;
  const logout = await readLogoutToken(found.server, token);
  if (!logout) return false;
  const which = { providerPk: opened?.row?.pk ?? null, sid: logout.sid, subject: logout.sub };
  const ended = await endOidcSessions(which, "logout");
  log.info({ event: "sso.logout", provider: name, ended });
  return true;
}

const everyMs = 60_000;
const takenMax = 100;
const runMaxMs = 30_000;
const pauseMs = 10;

/** Asks providers about the sessions that are due. Returns how many ended. */
export async function checkSessions(now = Date.now()): Promise<number> {
  const startedAt = Date.now();
  let ended = 0;
  for (const session of await takeDueOidcSessions(takenMax)) {
    if (Date.now() - startedAt > runMaxMs) break;
    const reason = await findEnd(session, now);
    if (reason) ended += await endOidcSessions(session, reason);
    await sleep(pauseMs);
  }
  return ended;
}

/** Why the session ends now. Undefined: it goes on. */
async function findEnd(session: OidcSession, now: number): Promise<EndReason | undefined> {
  const { idToken, refreshToken } = session.tokens;
  if (refreshToken === undefined) return "unchecked";
  const opened = await clientOfProvider(session.providerPk);
  if (!opened) return "removed";
  const found = await findServer(opened.client);
  const outcome = found.ok
    ? await refreshTokens(found.server, { idToken, refreshToken }, session.subject)
    : ({ ok: false, code: "away" } as const);
  if (outcome.ok) {
    await keepOidcSession(session.id, outcome.tokens);
    return undefined;
  }
  if (outcome.code === "ended") return "removed";
  // defence: oidc-grace-ends
  const isOver = now - session.seenAt.getTime() >= config().FUXI_OIDC_GRACE_HOURS * hourMs;
  return isOver ? "away" : undefined;
}

export const ssoJobs = [
  defineJob({
    name: "sso.check",
    schema: z.object({}),
    handle: () => checkSessions(),
    everyMs,
  }),
];
