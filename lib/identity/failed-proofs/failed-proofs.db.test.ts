/** Failed sign-ins are recorded, in a bounded number of entries, and owners learn that their password is known. */
import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { checkCredentials, signInByEmail } from "#lib/identity/auth";
import { finishSignIn, provePresence } from "#lib/identity/presence";
import { beginSession } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { limits } from "#lib/platform/limits";
import { query, sql, transaction } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import { recordRepeated, repeatedLimits } from "#lib/tenancy/audit";
import { listNotifications } from "#lib/tenancy/notifications";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { sessionCookieOf } from "../../../test/operators.ts";
import {
  emailTokenOf,
  newPerson,
  testPassword as password,
  withFactor,
} from "../../../test/people.ts";
import { openTestStores } from "../../../test/stores.ts";
import { failuresWritten } from "./index.ts";

const dataDir = join(tmpdir(), `fuxi-failed-proofs-${process.pid}`);
openTestStores({ FUXI_DATA_DIR: dataDir });
afterAll(() => rm(dataDir, { recursive: true, force: true }));
beforeEach(async () => {
  await redis().flushdb();
});

const address = "203.0.113.7";

interface Failure {
  kind: string;
  count: number;
  address: string | null;
}

async function failuresOf({ id }: Pick<SessionUser, "id">): Promise<Failure[]> {
  await failuresWritten();
  return await query<Failure>(sql`
    SELECT details->>'kind' AS kind, (details->>'count')::int AS count, address
    FROM audit
    WHERE workspace_pk IS NULL AND subject = ${id} AND action = 'user.sign_in_failed'
    ORDER BY id`);
}

async function mailsTo(user: SessionUser, text: string): Promise<number> {
  const folder = join(dataDir, "outbox");
  const files = await readdir(folder).catch(() => []);
  const mails = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return mails.filter((mail) => mail.includes(`To: ${user.email}`) && mail.includes(text)).length;
}

test("wrong passwords are counted in one entry per network and quarter hour", async () => {
  const user = await newPerson();
  const wrong = { email: user.email, password: "wrong horse" };
  for (let tries = 0; tries < 3; tries++) await checkCredentials(wrong, address);
  await checkCredentials(wrong, "2001:db8::1");
  await failuresWritten();
  await checkCredentials(wrong, "2001:db8::2");
  expect(await failuresOf(user)).toEqual([
    { kind: "password", count: 3, address },
    { kind: "password", count: 2, address: "2001:db8:0:0::/64" },
  ]);
  await checkCredentials({ email: user.email, password }, address);
  expect(await failuresOf(user)).toHaveLength(2);
});

test("wrong codes are recorded on every path, with what came before them", async () => {
  const user = await newPerson();
  await query(sql`UPDATE app_user SET email_proven_at = now() WHERE pk = ${user.pk}`);
  await withFactor(user);
  await checkCredentials({ email: user.email, password, code: "nonsense" }, address);
  await failuresWritten();
  const token = await emailTokenOf("signin", user);
  await signInByEmail({ token, code: "nonsense" }, address);
  await failuresWritten();
  const waiting = await beginSession(user.id, "", ["oauth"]);
  await finishSignIn(await sessionCookieOf({ ...user, sessionId: waiting }), "nonsense");
  await failuresWritten();
  await query(sql`
    UPDATE session SET password_at = NULL, factor_at = NULL WHERE id = ${user.sessionId}`);
  await provePresence(user, { password: "wrong horse", code: "" });
  await failuresWritten();
  await provePresence(user, { password, code: "nonsense" });
  expect((await failuresOf(user)).map(({ kind }) => kind)).toEqual([
    "code_after_password",
    "code_after_email",
    "code_after_connected",
    "password_in_session",
    "code_in_session",
  ]);
});

test("an unknown address leaves nothing behind", async () => {
  const count = () => query<{ count: number }>(sql`SELECT count(*) AS count FROM audit`);
  const before = await count();
  await checkCredentials({ email: "nobody@example.com", password: "wrong horse" }, address);
  await failuresWritten();
  expect(await count()).toEqual(before);
});

const attempt = (subject: string, at: number, now: number) =>
  transaction((tx) =>
    recordRepeated(
      tx,
      {
        action: "user.sign_in_failed",
        subject,
        kind: "password",
        origin: { address: `198.51.100.${at}`, agent: "" },
      },
      now,
    ),
  );

test("an attacker with many networks makes a limited number of entries per quarter hour, at once too", async () => {
  const { id } = await newPerson();
  const now = Date.now();
  await Promise.all(
    Array.from({ length: repeatedLimits.entriesMax }, (_, at) => attempt(id, at, now)),
  );
  expect(await failuresOf({ id })).toHaveLength(repeatedLimits.entriesMax);
  await Promise.all(Array.from({ length: 20 }, (_, at) => attempt(id, 100 + at, now)));
  const entries = await failuresOf({ id });
  expect(entries).toHaveLength(repeatedLimits.entriesMax + 1);
  expect(entries.at(-1)).toEqual({ kind: "others", count: 20, address: null });
  await attempt(id, 1, now + repeatedLimits.minutes * 60_000);
  expect(await failuresOf({ id })).toHaveLength(repeatedLimits.entriesMax + 2);
});

test("an account keeps a limited number of entries, and loses no other ones", async () => {
  const { id } = await newPerson();
  await query(sql`
    INSERT INTO audit (id, actor, action, subject, details)
    SELECT ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, ${id},
      'user.sign_in_failed', ${id}, '{"kind": "password", "count": 1}'
    FROM generate_series(1, ${repeatedLimits.entriesKept - 1}) AS number`);
  const others = () =>
    query(sql`SELECT FROM audit WHERE actor = ${id} AND action <> 'user.sign_in_failed'`);
  const before = (await others()).length;
  await attempt(id, 1, Date.now());
  expect(await failuresOf({ id })).toHaveLength(repeatedLimits.entriesKept);
  await attempt(id, 2, Date.now());
  expect(await failuresOf({ id })).toHaveLength(repeatedLimits.entriesKept);
  expect(await others()).toHaveLength(before);
});

test("the owner is told once in some hours when a right password is followed by wrong codes", async () => {
  const user = await newPerson();
  await createWorkspace(user.id, { name: "Acme", slug: "wrong-codes" });
  const scope = await openWorkspace(user.id, "wrong-codes");
  if (!scope) throw new Error("No scope");
  await withFactor(user);
  const told = async () => [
    await mailsTo(user, "Someone may know your Fuxi password"),
    (await listNotifications(scope)).filter(({ kind }) => kind === "account.wrong_codes").length,
  ];
  const tryCode = async (given = password) => {
    await checkCredentials({ email: user.email, password: given, code: "nonsense" }, address);
    await failuresWritten();
  };
  for (let tries = 0; tries < limits.wrongCodeMistyped.max; tries++) await tryCode();
  // Mistyped by the owner, for all that is known; and a wrong password says nothing about the right one.
  await tryCode("wrong horse");
  expect(await told()).toEqual([0, 0]);
  await tryCode();
  expect(await told()).toEqual([1, 1]);
  await tryCode();
  await tryCode();
  expect(await told()).toEqual([1, 1]);
});
