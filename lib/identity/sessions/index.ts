/**
 * The cookie is an encrypted next-auth token with only the id of a `session` row.
 *
 * Ending the row signs the browser out in every process within a second.
 */
import { decode } from "next-auth/jwt";
import { newId } from "#lib/basics/ids";
import { hourMs } from "#lib/basics/time/schema";
import { newOidcSession, type OidcSignIn } from "#lib/identity/oidc-sessions";
import { LastUses, useLagMinutes } from "#lib/platform/batches";
import {
  type CacheChange,
  CoherentCache,
  publishChanges,
  recordChanges,
  takeRevision,
} from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { sessionBounds } from "#lib/platform/config/schema";
import { type Connection, transaction } from "#lib/platform/postgres";
import { openPlaces, type Place, parseAgent, placeOf } from "#lib/platform/request-info";
import { recordAudit } from "#lib/tenancy/audit";
import { sessionEntry } from "#lib/tenancy/key-changes";
import type { Proof, SessionSummary, SessionUser } from "./schema.ts";
import {
  endSessionRow,
  endSessionRows,
  findWaiting,
  insertSession,
  type KnownSession,
  listOpenSessions,
  listSessionIds,
  loadSessions,
  type OpenSession,
  openWaiting,
  type SessionLimits,
  writeSessionUses,
} from "./store.ts";

export { noteProofs } from "./store.ts";

/** People have to sign in again after this, whatever the instance sets. */
export const sessionDays = sessionBounds.hoursMax / 24;
/** How long a sign-in waits for the second factor. */
const factorWaitMinutes = 15;
const cachedMax = 50_000;
const cachedAgeMaxMs = 60_000;
const cookieCharsMax = 4_096;

const sessions = new CoherentCache<KnownSession>({
  entriesMax: () => cachedMax,
  ageMaxMs: cachedAgeMaxMs,
  replicas: "inOutage",
  load: async (entries, on) => {
    const known = await loadSessions(entries.map(idOfEntry), on);
    return new Map(
      known.map((value) => [sessionEntry(value.user.sessionId), { revision: 0, value }]),
    );
  },
});

const uses = new LastUses<string>(writeSessionUses);

function idOfEntry(entry: string): string {
  return entry.slice(2);
}

/** `__Host-` makes browsers reject the cookie from other hosts or without TLS. */
export function sessionCookie(): { name: string; secure: boolean } {
  const secure = config().FUXI_URL.startsWith("https:");
  return { name: secure ? "__Host-fuxi-session" : "fuxi-session", secure };
}

const agentCharsMax = 300;

interface SignInDetails {
  on?: Connection;
  oidc?: OidcSignIn | undefined;
  /** Only its place is stored. */
  address?: string;
}

/** If a second factor is missing from the proofs, the session waits for it (`passFactor`). */
export async function beginSession(
  userId: string,
  userAgent = "",
  proofs: readonly Proof[] = [],
  { on, oidc, address = "" }: SignInDetails = {},
): Promise<string> {
  const id = newId("sess");
  const agent = shortenAgent(userAgent);
  const session = {
    id,
    userId,
    agent,
    ...(await findPlace(address)),
    proofs,
    provenHash: null,
    waitMinutes: factorWaitMinutes,
    oidc: oidc && newOidcSession(id, oidc),
  };
  if (await insertSession(session, on)) return id;
  throw new Error("The account was deleted during sign-in");
}

export async function beginProvenSession(
  userId: string,
  provenHash: string,
  userAgent: string,
  proofs: readonly Proof[],
  address = "",
): Promise<string | undefined> {
  const id = newId("sess");
  const client = { agent: shortenAgent(userAgent), ...(await findPlace(address)) };
  // defence: session-of-proven-password
  const session = { id, userId, ...client, proofs, provenHash, waitMinutes: factorWaitMinutes };
  return (await insertSession(session)) ? id : undefined;
}

export async function findWaitingSession(
  header: string | undefined,
): Promise<{ id: string; userPk: number } | undefined> {
  const id = await idOfCookie(header);
  const userPk = id === undefined ? undefined : await findWaiting(id);
  return id === undefined || userPk === undefined ? undefined : { id, userPk };
}

/** Call this in the transaction that checks the code. Undefined: the session no longer waits. */
export async function passFactor(
  tx: Connection,
  id: string,
  proofs: readonly Proof[] = ["factor"],
): Promise<CacheChange[] | undefined> {
  return (await openWaiting(tx, id, proofs)) ? await recordSessionChanges(tx, [id]) : undefined;
}

function shortenAgent(userAgent: string): string {
  return userAgent.replace(/\p{Cc}/gu, "").slice(0, agentCharsMax);
}

/** Nothing if the instance has no file of places. */
async function findPlace(address: string): Promise<Pick<Place, "country" | "city">> {
  if (address !== "") await openPlaces().catch(() => undefined);
  const { country, city } = placeOf(address);
  return { country, city };
}

export async function endSession(id: string): Promise<void> {
  await endOne(id, null);
}

export function endOwnSession(user: SessionUser, id: string): Promise<boolean> {
  return endOne(id, user.pk);
}

async function endOne(id: string, userPk: number | null): Promise<boolean> {
  const changes = await transaction(async (tx) => {
    const actor = await endSessionRow(tx, id, userPk);
    if (actor === undefined) return [];
    const change = { entry: sessionEntry(id), revision: await takeRevision(tx) };
    await recordChanges(tx, [change]);
    await recordAudit(tx, [{ workspacePk: null, actor, action: "session.end", subject: id }]);
    return [change];
  });
  await publishChanges(changes);
  return changes.length > 0;
}

export async function endOtherSessions(user: SessionUser): Promise<number> {
  const changes = await transaction(async (tx) => {
    const ended = await endSessions(tx, user.pk, user.sessionId);
    const details = { sessions: ended.length };
    await recordAudit(tx, [
      { workspacePk: null, actor: user.id, action: "session.end_others", details },
    ]);
    return ended;
  });
  await publishChanges(changes);
  return changes.length;
}

/** The caller publishes the changes after its commit. */
export async function endSessions(
  tx: Connection,
  userPk: number,
  exceptId: string | null,
): Promise<CacheChange[]> {
  const ids = await endSessionRows(tx, userPk, exceptId);
  return await recordSessionChanges(tx, ids);
}

export async function renewSessions(tx: Connection, userPk: number): Promise<CacheChange[]> {
  return await recordSessionChanges(tx, await listSessionIds(userPk, tx));
}

async function recordSessionChanges(
  tx: Connection,
  ids: readonly string[],
): Promise<CacheChange[]> {
  if (ids.length === 0) return [];
  const revision = await takeRevision(tx);
  const changes = ids.map((id) => ({ entry: sessionEntry(id), revision }));
  await recordChanges(tx, changes);
  return changes;
}

export async function listSessions(user: SessionUser): Promise<SessionSummary[]> {
  const open = await listOpenSessions(user.pk, limitsNow());
  // Its last use may be written later than those of others.
  const isCurrent = ({ id }: OpenSession) => id === user.sessionId;
  const sorted = [...open.filter(isCurrent), ...open.filter((one) => !isCurrent(one))];
  return sorted.map(({ id, createdAt, lastSeenAt, agent, country, city, proofs }) => {
    const { browser, os } = parseAgent(agent ?? "");
    return {
      id,
      browser,
      os,
      country,
      city,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      proofs,
      current: id === user.sessionId,
    };
  });
}

/** Uses are written late, so this process also counts its unwritten ones. Only admitted requests count. */
export async function findSession(id: string, now = Date.now()): Promise<SessionUser | undefined> {
  const known = await sessions.find(sessionEntry(id));
  if (!known || isOver(known, uses.lastOf(id) ?? 0, now)) return undefined;
  uses.note(id, now);
  return known.user;
}

function isOver({ beganAt, seenAt }: KnownSession, notedAt: number, now: number): boolean {
  const { idleMinutes, hours } = limitsNow();
  // defence: session-end
  if (now - beganAt >= hours * hourMs) return true;
  // defence: session-idle-end
  // defence: session-in-use-stays
  return now - Math.max(seenAt, notedAt) >= (idleMinutes + useLagMinutes) * 60_000;
}

function limitsNow(): SessionLimits {
  const { FUXI_SESSION_IDLE_MINUTES, FUXI_SESSION_HOURS } = config();
  return { idleMinutes: FUXI_SESSION_IDLE_MINUTES, hours: FUXI_SESSION_HOURS };
}

/** Undefined for a missing or forged cookie, and for an ended session. */
export async function userOfCookie(header: string | undefined): Promise<SessionUser | undefined> {
  const id = await idOfCookie(header);
  return id === undefined ? undefined : findSession(id);
}

async function idOfCookie(header: string | undefined): Promise<string | undefined> {
  const text = cookieOf(header ?? "", sessionCookie().name);
  if (text === undefined || text.length > cookieCharsMax) return undefined;
  return await sessionIdOf(text);
}

async function sessionIdOf(text: string): Promise<string | undefined> {
  try {
    const token = await decode({ token: text, secret: config().FUXI_SESSION_SECRET });
    return typeof token?.["sid"] === "string" ? token["sid"] : undefined;
  } catch {
    return undefined; // forged, expired, or encrypted with another secret
  }
}

function cookieOf(header: string, name: string): string | undefined {
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
