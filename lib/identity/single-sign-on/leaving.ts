/**
 * Ends sessions when their provider says so, or can no longer say that they may go on. A refused token with offline
 * access also shows that the person was removed, which may pause their API keys.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { hourMs } from "#lib/basics/time/schema";
import { pauseKeysOf } from "#lib/identity/api-keys";
import { findServer, logoutUrlOf, readLogoutToken, refreshTokens } from "#lib/identity/oidc";
import {
  type EndReason,
  endOidcSessions,
  findOidcSession,
  keepOidcSession,
  type OidcSession,
  takeDueOidcSessions,
} from "#lib/identity/oidc-sessions";
import { clientOfProvider, type OpenedProvider } from "#lib/identity/sso-providers";
import { publishChanges } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { transaction } from "#lib/platform/postgres";
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
  const ended = await transaction((tx) => endOidcSessions(tx, which, "logout"));
  await publishChanges(ended);
  log.info({ event: "sso.logout", provider: name, ended: ended.length });
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
    const end = await findEnd(session, now);
    if (end) ended += await endChecked(session, end);
    await sleep(pauseMs);
  }
  return ended;
}

interface End {
  reason: EndReason;
  /** The workspace whose keys of the person are paused. */
  pausesInPk?: number | undefined;
}

async function endChecked(session: OidcSession, { reason, pausesInPk }: End): Promise<number> {
  const [ended, paused] = await transaction(async (tx) => {
    const sessions = await endOidcSessions(tx, session, reason);
    // defence: removed-person-keys
    const keys = pausesInPk === undefined ? [] : await pauseKeysOf(tx, pausesInPk, session.userPk);
    return [sessions, keys] as const;
  });
  await publishChanges([...ended, ...paused]);
  return ended.length;
}

/** Why the session ends now. Undefined: it goes on. */
async function findEnd(session: OidcSession, now: number): Promise<End | undefined> {
  const { idToken, refreshToken } = session.tokens;
  if (refreshToken === undefined) return { reason: "unchecked" };
  const opened = await clientOfProvider(session.providerPk);
  if (!opened) return { reason: "removed" };
  const found = await findServer(opened.client);
  const outcome = found.ok
    ? await refreshTokens(found.server, { idToken, refreshToken }, session.subject)
    : ({ ok: false, code: "away" } as const);
  if (outcome.ok) {
    await keepOidcSession(session.id, outcome.tokens);
    return undefined;
  }
  if (outcome.code === "ended") return { reason: "removed", pausesInPk: pausingWorkspace(opened) };
  // defence: oidc-grace-ends
  const isOver = now - session.seenAt.getTime() >= config().FUXI_OIDC_GRACE_HOURS * hourMs;
  return isOver ? { reason: "away" } : undefined;
}

/**
 * A token without offline access also ends with the person’s session at the provider, so its refusal says nothing
 * about the person (OpenID Connect Back-Channel Logout 1.0, section 2.7).
 */
function pausingWorkspace({ row }: OpenedProvider): number | undefined {
  // defence: logout-pauses-no-key
  const isOffline = row?.scope.split(" ").includes("offline_access");
  return isOffline && row?.pausesKeys ? row.workspacePk : undefined;
}

export const ssoJobs = [
  defineJob({
    name: "sso.check",
    schema: z.object({}),
    handle: () => checkSessions(),
    everyMs,
  }),
];
