/** Plans over HTTP: the refusal of a key in the form of every error, and the plan of a workspace for administrators. */
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { callerWith, keyCaller, personCaller } from "../../test/api-callers.ts";
import { makeTestOperator } from "../../test/operators.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { listAdminRoutes } from "./admin/index.ts";

openTestStores();

let scope: WorkspaceScope;
let operator: ReturnType<typeof callerWith>;
let operatorId: string;

beforeAll(async () => {
  openCoherence();
  await openLinks();
  scope = await makeTestScope("plannedapi");
  const { cookie, user } = await makeTestOperator("planner");
  operatorId = user.id;
  operator = callerWith({ Cookie: cookie, Origin: "http://localhost:3000" });
});

const path = () => `/api/admin/workspaces/${scope.workspaceId}/plan`;
const put = (body: unknown, of = path()) => operator({ method: "PUT", path: of, body });

test("an administrator sets plan, limits and end by id or slug, and the audit log of the workspace has the reason", async () => {
  const endsAt = "2999-01-31T12:00:00.000Z";
  const body = { plan: "personal", limits: { links: 5, members: null }, endsAt };
  const answer = await put({ ...body, reason: "Pilot" });
  const state = { ...body, source: "operator", trialAt: null };
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, state]);
  const bySlug = await operator({
    method: "GET",
    path: `/api/admin/workspaces/${scope.slug}/plan`,
  });
  expect(JSON.parse(bySlug.text)).toEqual(state);
  const entries = await query<{ action: string; actor: string; reason: string | null }>(sql`
    SELECT action, actor, details ->> 'reason' AS reason
    FROM audit
    WHERE workspace_pk = ${scope.workspacePk}
      AND actor = ${operatorId}
    ORDER BY id`);
  expect(entries).toEqual([
    { action: "plan.change", actor: operatorId, reason: "Pilot" },
    { action: "operator.view", actor: operatorId, reason: null },
  ]);
});

test("unknown workspaces and plans, limits and dates that cannot be, and a missing reason are refused", async () => {
  expect((await put({ plan: "free", reason: "Test" }, "/api/admin/workspaces/x/plan")).status).toBe(
    404,
  );
  for (const body of [
    { plan: "gratis", reason: "Test" },
    { plan: "free" },
    { plan: "free", reason: "Test", limits: { links: -1 } },
    { plan: "free", reason: "Test", limits: { links: 2_147_483_648 } },
    { plan: "free", reason: "Test", limits: { unknown: 1 } },
    { plan: "free", reason: "Test", endsAt: "2020-01-01T00:00:00Z" },
    { plan: "free", reason: "Test", invoice: { number: "1", amount: "1", currency: "EUR" } },
    { plan: "free", reason: "Test", more: 1 },
  ]) {
    expect((await put(body)).status).toBe(422);
  }
  const most = { plan: "free", reason: "Test", limits: { links: 2_147_483_647 } };
  expect((await put(most)).status).toBe(200);
});

test("for a key and for an owner of the workspace, the plan has no endpoint", async () => {
  for (const call of [await keyCaller(scope), await personCaller(scope)]) {
    for (const method of ["GET", "PUT"]) {
      const { status } = await call({
        method,
        path: path(),
        ...(method === "PUT" ? { body: {} } : {}),
      });
      expect(status).toBe(404);
    }
  }
  expect(listAdminRoutes()).toEqual(
    expect.arrayContaining(["GET", "PUT"].map((one) => `${one} /api/admin/workspaces/:id/plan`)),
  );
});

test("what the plan of a key does not include is a 403 with the plan that has it, from the next call on", async () => {
  await put({ plan: "personal", reason: "Test" });
  const call = await keyCaller(scope);
  const create = {
    method: "POST",
    path: "/api/links",
    body: { url: "https://a.example/", password: "x" },
  };
  expect((await call(create)).status).toBe(200);
  await put({ plan: "free", reason: "Test" });
  const refused = await call(create);
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    403,
    {
      error: {
        code: "forbidden",
        message: expect.stringMatching(/^Password protection isn’t included in the Free plan/),
        doc_url: expect.stringContaining("/docs/api/errors#forbidden"),
        problem: {
          code: "plan_limit",
          params: { capability: "passwords", plan: "free", needed: "personal" },
        },
      },
    },
  ]);
  const bulk = await call({
    method: "POST",
    path: "/api/links/bulk",
    body: [{ url: "https://a.example/" }],
  });
  expect([bulk.status, JSON.parse(bulk.text).error.problem.code]).toEqual([403, "plan_limit"]);
});
