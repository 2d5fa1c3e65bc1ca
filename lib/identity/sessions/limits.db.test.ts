/** When sessions end by themselves: what the instance and each workspace set. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useLagMinutes } from "#lib/platform/batches";
import { publishChanges } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { sessionBounds } from "#lib/platform/config/schema";
import { query, sql, transaction } from "#lib/platform/postgres";
import { createWorkspace, openWorkspace, updateWorkspace } from "#lib/tenancy/workspaces";
import { editWorkspaceBody } from "#lib/tenancy/workspaces/schema";
import { newPerson } from "../../../test/people.ts";
import { openTestStores } from "../../../test/stores.ts";
import { beginSession, findSession, listSessions, renewSessions } from "./index.ts";
import { writeSessionUses } from "./store.ts";

vi.mock("#lib/platform/config", { spy: true });
openTestStores();

let user: Awaited<ReturnType<typeof newPerson>>;
let spaces = 0;

beforeEach(async () => {
  user = await newPerson();
});
afterEach(() => {
  vi.mocked(config).mockReset();
});

function withLimits(idleMinutes: number, hours: number): void {
  const real = config();
  const limits = { FUXI_SESSION_IDLE_MINUTES: idleMinutes, FUXI_SESSION_HOURS: hours };
  vi.mocked(config).mockReturnValue({ ...real, ...limits });
}

/** A session that this process has never seen, begun and last used so many minutes ago. */
async function sessionOf(begunMinutes: number, idleMinutes: number): Promise<string> {
  const id = await beginSession(user.id, "", ["password"]);
  await query(sql`
    UPDATE session
    SET
      created_at = now() - ${begunMinutes}::float * interval '1 minute',
      last_seen_at = now() - ${idleMinutes}::float * interval '1 minute'
    WHERE id = ${id}`);
  return id;
}

const isOpen = async (id: string) => (await findSession(id)) !== undefined;
const second = 1 / 60;
/** In minutes: longer than a busy machine takes until it looks. */
const slack = 2;

test.each([
  ["by default", 20_160, 720],
  ["at its minimum", sessionBounds.idleMinutesMin, sessionBounds.hoursMin],
  ["at its maximum", sessionBounds.idleMinutesMax, sessionBounds.hoursMax],
])("a session ends after its time, used or not, and without a use: %s", async (_, idle, hours) => {
  withLimits(idle, hours);
  const end = idle + useLagMinutes;
  if (end < hours * 60) {
    expect(await isOpen(await sessionOf(end - slack, end - slack))).toBe(true);
    expect(await isOpen(await sessionOf(end + second, end + second))).toBe(false);
  }
  expect(await isOpen(await sessionOf(hours * 60 - slack, 0))).toBe(true);
  expect(await isOpen(await sessionOf(hours * 60 + second, 0))).toBe(false);
});

test("the defaults of an instance are 14 days without a use, and 30 days in all", () => {
  const { FUXI_SESSION_IDLE_MINUTES, FUXI_SESSION_HOURS } = config();
  expect([FUXI_SESSION_IDLE_MINUTES, FUXI_SESSION_HOURS]).toEqual([14 * 1_440, 30 * 24]);
});

test("an active session does not end because its uses are not written yet", async () => {
  withLimits(15, 720);
  const id = await sessionOf(60, 0);
  expect(await isOpen(id)).toBe(true);
  // As if no use had been written for an hour, and every process had to load the session again.
  await query(sql`
    UPDATE session SET last_seen_at = now() - interval '1 hour' WHERE id = ${id}`);
  await publishChanges(await transaction((tx) => renewSessions(tx, user.pk)));
  withLimits(15, 720);
  expect(await isOpen(id)).toBe(true);
});

test("a refused request is no use: a session that was idle for too long stays ended", async () => {
  withLimits(15, 720);
  const id = await sessionOf(60, 15 + useLagMinutes + second);
  expect(await isOpen(id)).toBe(false);
  withLimits(15, 720);
  expect(await findSession(id, Date.now() + 1_000)).toBeUndefined();
});

test("a session that is over is not in the list of sessions", async () => {
  const idle = await sessionOf(60, 16);
  const used = await sessionOf(60, 0);
  withLimits(15, 720);
  const listed = (await listSessions(user)).map(({ id }) => id);
  expect(listed).toContain(used);
  expect(listed).not.toContain(idle);
});

async function spaceWith(limits: { sessionIdleMinutes?: number; sessionHours?: number }) {
  spaces += 1;
  const slug = `limited-${spaces}`;
  await createWorkspace(user.id, { name: "Acme", slug });
  const scope = await openWorkspace(user.id, slug);
  if (!scope) throw new Error("No scope");
  await updateWorkspace(scope, limits);
  return async (sessionId: string) =>
    await openWorkspace(user.id, slug, sessionId).then(
      (found) => found !== undefined,
      (error: unknown) => Object(error).problem.code,
    );
}

test("a stricter workspace opens in no session that is older, and other workspaces still do", async () => {
  const opens = await spaceWith({ sessionHours: 8 });
  const other = await spaceWith({});
  expect(await opens(await sessionOf(8 * 60 - slack, 0))).toBe(true);
  const old = await sessionOf(8 * 60 + second, 0);
  expect(await opens(old)).toBe("session_over");
  expect(await other(old)).toBe(true);
  expect(await isOpen(old)).toBe(true);
});

test("a stricter workspace opens in no session that was longer without a use, also after the next use", async () => {
  const opens = await spaceWith({ sessionIdleMinutes: 15 });
  const end = 15 + useLagMinutes;
  expect(await opens(await sessionOf(60, end - slack))).toBe(true);
  const idle = await sessionOf(60, end + second);
  expect(await opens(idle)).toBe("session_over");
  // Another page of the instance is opened first.
  await writeSessionUses([idle], new Date());
  expect(await opens(idle)).toBe("session_over");
  const active = await sessionOf(60, 5);
  await writeSessionUses([active], new Date());
  expect(await opens(active)).toBe(true);
});

test("API keys and jobs have no session that could be over", async () => {
  const slug = `limited-${spaces + 1}`;
  await spaceWith({ sessionIdleMinutes: 15, sessionHours: 1 });
  expect(await openWorkspace(user.id, slug)).toBeDefined();
});

test("limits of a workspace have bounds", () => {
  const { idleMinutesMin, idleMinutesMax, hoursMin, hoursMax } = sessionBounds;
  const accepts = (body: object) => editWorkspaceBody.safeParse(body).success;
  for (const sessionIdleMinutes of [idleMinutesMin, idleMinutesMax, null]) {
    expect(accepts({ sessionIdleMinutes })).toBe(true);
  }
  for (const sessionHours of [hoursMin, hoursMax, null])
    expect(accepts({ sessionHours })).toBe(true);
  for (const sessionIdleMinutes of [idleMinutesMin - 1, idleMinutesMax + 1]) {
    expect(accepts({ sessionIdleMinutes })).toBe(false);
  }
  for (const sessionHours of [hoursMin - 1, hoursMax + 1]) {
    expect(accepts({ sessionHours })).toBe(false);
  }
});
