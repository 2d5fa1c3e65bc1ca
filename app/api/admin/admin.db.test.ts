/** Who may use /api/admin. */
import { beforeEach, expect, test } from "vitest";
import { limits } from "#lib/platform/limits";
import { redis } from "#lib/platform/redis";
import { callerWith, keyCaller, personCaller } from "../../../test/api-callers.ts";
import { makeTestOperator, makeTestPerson, sessionCookieOf } from "../../../test/operators.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { describeApi } from "../index.ts";
import { listAdminRoutes } from "./index.ts";

const token = "0123456789abcdef0123456789abcdef";
const origin = "http://localhost:3000";
openTestStores({ FUXI_ADMIN_TOKEN: token });
beforeEach(() => redis().flushdb());

const me = { method: "GET", path: "/api/admin/me" };
const missing = { method: "GET", path: "/api/nothing/me" };

test("for a key, a member and a stranger it is answered exactly like a missing endpoint", async () => {
  const ada = await makeTestScope("ada");
  const callers = [
    await keyCaller(ada),
    await personCaller(ada),
    callerWith({}),
    callerWith({ Authorization: `Bearer ${token}0` }),
    callerWith({ Authorization: "Basic eA==" }),
  ];
  for (const call of callers) {
    const [answer, other] = [await call(me), await call(missing)];
    expect(answer.text.replace("/admin/", "/nothing/")).toBe(other.text);
    expect(answer.status).toBe(other.status);
    expect([400, 401, 404]).toContain(answer.status);
  }
});

test("an administrator without a second factor learns what is missing, with one gets an answer", async () => {
  const bare = await makeTestPerson("bare", { operator: true, factor: false });
  const refused = await callerWith({ Cookie: await sessionCookieOf(bare) })(me);
  expect(refused.status).toBe(403);
  expect(JSON.parse(refused.text).error.problem).toEqual({ code: "factor_missing", params: {} });
  const { cookie, user } = await makeTestOperator("full");
  const answer = await callerWith({ Cookie: cookie })(me);
  expect([answer.status, answer.text]).toEqual([
    200,
    JSON.stringify({ id: user.id, via: "dashboard" }),
  ]);
  const script = await callerWith({ Authorization: `Bearer ${token}` })(me);
  expect(JSON.parse(script.text)).toEqual({ id: "system", via: "token" });
});

test("another site's request with the cookie of an administrator is refused", async () => {
  const { cookie } = await makeTestOperator("crossed");
  const call = { method: "POST", path: "/api/admin/nothing", body: {} };
  const foreign = await callerWith({ Cookie: cookie, Origin: "https://evil.example" })(call);
  expect(foreign.status).toBe(403);
  expect((await callerWith({ Cookie: cookie, Origin: origin })(call)).status).toBe(404);
});

test("after too many wrong tokens from an address, the right one is not tried either", async () => {
  const { max } = limits.adminTokenPerAddress;
  const right = callerWith({ Authorization: `Bearer ${token}` });
  for (let at = 1; at < max; at++) await callerWith({ Authorization: "Bearer wrong" })(me);
  expect((await right(me)).status).toBe(200);
  await callerWith({ Authorization: "Bearer wrong" })(me);
  expect((await right(me)).status).toBe(401);
});

test("an administrator makes up to 600 calls per minute", async () => {
  const { cookie } = await makeTestOperator("busy");
  const call = callerWith({ Cookie: cookie });
  for (let round = 0; round < 60; round++) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(me)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  }
  expect((await call(me)).status).toBe(429);
});

test("the document of the API has no operation of the back office", () => {
  expect(Object.keys(describeApi().paths ?? {}).filter((path) => /admin/.test(path))).toEqual([]);
  expect(listAdminRoutes()).toContain("GET /api/admin/me");
});
