import { expect, test, vi } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { makeTestOperator, makeTestPerson, sessionCookieOf } from "../../test/operators.ts";
import { openTestStores } from "../../test/stores.ts";
import { requireOperator, runAsOperator } from "./access.ts";

const request = vi.hoisted(() => ({ cookie: "" }));
vi.mock("next/headers", () => ({
  headers: () => Promise.resolve(new Headers({ cookie: request.cookie })),
}));
vi.mock("next/navigation", () => ({
  notFound: () => {
    throw new Error("page gone");
  },
  redirect: (to: string) => {
    throw new Error(`page ${to}`);
  },
}));
vi.mock("next-intl/server", () => ({ getRequestConfig: () => undefined }));

openTestStores();

async function outcomes(cookie: string) {
  request.cookie = cookie;
  const page = await requireOperator().then(
    ({ actor }) => actor,
    (error: Error) => error.message,
  );
  const answer = await runAsOperator(({ actor }) => Promise.resolve({ ok: true, done: actor }));
  return [page, answer.ok ? answer.done : answer.form];
}

test("pages and actions of the back office exist for administrators with a second factor only", async () => {
  const plain = await makeTestPerson("plain");
  const bare = await makeTestPerson("bare", { operator: true, factor: false });
  const full = await makeTestOperator("full");
  expect(await outcomes("")).toEqual(["page gone", "unauthorized"]);
  expect(await outcomes(await sessionCookieOf(plain))).toEqual(["page gone", "notFound"]);
  const needed = ["page /admin/second-factor", "factorMissing"];
  expect(await outcomes(await sessionCookieOf(bare))).toEqual(needed);
  expect(await outcomes(full.cookie)).toEqual([full.user.id, full.user.id]);
});

test("a session that has not passed the factor is asked for its code", async () => {
  const { user, cookie } = await makeTestOperator("due");
  await query(sql`UPDATE session SET factor_at = NULL WHERE id = ${user.sessionId}`);
  expect(await outcomes(cookie)).toEqual(["page /admin/second-factor", "proofNeeded"]);
});
