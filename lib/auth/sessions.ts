/**
 * Who is signed in. The cookie is a token of next-auth, encrypted with FUXI_SESSION_SECRET, that names a row of
 * `session` and nothing else: ending the row signs the browser out in every process within a second.
 */
import { decode } from "next-auth/jwt";
import { recordDeeds } from "#lib/audit";
import { CoherentCache, publishChanges, recordChanges, takeRevision } from "#lib/coherence";
import { config } from "#lib/config";
import { newId } from "#lib/ids";
import { transaction } from "#lib/postgres";
import type { SessionUser } from "./schema.ts";
import { endSessionRow, insertSession, loadSessions, writeSessionUses } from "./store.ts";
import { Uses } from "./uses.ts";

/** After this many days one signs in again. */
export const sessionDays = 30;
const cachedMax = 50_000;
const cachedAgeMaxMs = 60_000;
const cookieCharsMax = 4_096;

const sessions = new CoherentCache<SessionUser>({
  entriesMax: () => cachedMax,
  ageMaxMs: cachedAgeMaxMs,
  load: async (entries) => {
    const rows = await loadSessions(entries.map(idOfEntry), sessionDays);
    return new Map(
      rows.map((user) => [sessionEntry(user.sessionId), { revision: 0, value: user }]),
    );
  },
});

const uses = new Uses<string>(writeSessionUses);

function sessionEntry(id: string): string {
  return `s:${id}`;
}

function idOfEntry(entry: string): string {
  return entry.slice(2);
}

/** `__Host-` makes browsers refuse the cookie from another host or without TLS. */
export function sessionCookie(): { name: string; secure: boolean } {
  const secure = config().FUXI_URL.startsWith("https:");
  return { name: secure ? "__Host-fuxi-session" : "fuxi-session", secure };
}

/** Begins a session and returns its id. */
export async function beginSession(userId: string): Promise<string> {
  const id = newId("sess");
  if (await insertSession(id, userId)) return id;
  throw new Error("The account was deleted while it signed in");
}

/** Ends a session: its browser is signed out. Safe to call twice. */
export async function endSession(id: string): Promise<void> {
  const changes = await transaction(async (tx) => {
    if (!(await endSessionRow(tx, id))) return [];
    const change = { entry: sessionEntry(id), revision: await takeRevision(tx) };
    await recordChanges(tx, [change]);
    await recordDeeds(tx, [{ workspacePk: null, actor: id, action: "session.end", subject: id }]);
    return [change];
  });
  await publishChanges(changes);
}

/** The person of a session that was not ended. */
export async function findSession(id: string): Promise<SessionUser | undefined> {
  const user = await sessions.find(sessionEntry(id));
  if (user) uses.note(id, Date.now());
  return user;
}

/** Whom a Cookie header belongs to; undefined for nobody, a forged or an ended session. */
export async function userOfCookie(header: string | undefined): Promise<SessionUser | undefined> {
  const text = cookieOf(header ?? "", sessionCookie().name);
  if (text === undefined || text.length > cookieCharsMax) return undefined;
  const id = await sessionIdOf(text);
  return id === undefined ? undefined : findSession(id);
}

async function sessionIdOf(text: string): Promise<string | undefined> {
  try {
    const token = await decode({ token: text, secret: config().FUXI_SESSION_SECRET });
    return typeof token?.["sid"] === "string" ? token["sid"] : undefined;
  } catch {
    return undefined; // forged, over, or made with another secret
  }
}

function cookieOf(header: string, name: string): string | undefined {
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
