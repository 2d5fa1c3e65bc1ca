/**
 * Every operation of the back office and every page of it. One that is missing in the tables below fails the test; one
 * line says whether it reads data of a tenant. Those must leave an entry in the audit log of that tenant.
 */
import { beforeAll, beforeEach, expect, test } from "vitest";
import { changeDestinationList, openInstanceLists } from "#lib/destinations/lists";
import { changeListBody } from "#lib/destinations/lists/schema";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { fileReport } from "#lib/office/reports";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { sources } from "../../../test/actions.ts";
import { type Caller, callerWith, keyCaller, personCaller } from "../../../test/api-callers.ts";
import { make } from "../../../test/links.ts";
import { makeTestOperator, makeTestPerson, sessionCookieOf } from "../../../test/operators.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { listAdminRoutes } from "./index.ts";

openTestStores();

interface Things {
  workspace: string;
  link: string;
  domain: string;
  person: string;
}

interface Example {
  /** The object in the path. */
  id?: keyof Things;
  query?: Record<string, string>;
  body?: unknown;
  /** Shows data of the tenant: leaves an entry in its audit log. */
  tenant: boolean;
}

const reason = { reason: "Asked by phone" };
const ofPerson = (tenant = false): Example => ({ id: "person", body: reason, tenant });

const operations: Record<string, Example> = {
  "GET /api/admin/me": { tenant: false },
  "GET /api/admin/overview": { tenant: false },
  // Shows what is in the audit logs already, and nothing else.
  "GET /api/admin/audit": { tenant: false },
  "GET /api/admin/system": { tenant: false },
  "GET /api/admin/usage": { query: { days: "90" }, tenant: false },
  "GET /api/admin/api-keys": { tenant: true },
  "POST /api/admin/api-keys/:id/approve": { body: reason, tenant: false },
  "POST /api/admin/api-keys/:id/decline": { body: reason, tenant: false },
  "GET /api/admin/announcements": { tenant: false },
  "POST /api/admin/announcements": { body: reason, tenant: false },
  "POST /api/admin/announcements/:id/end": { body: reason, tenant: false },
  "GET /api/admin/features": { tenant: false },
  "PUT /api/admin/features/:name": { body: reason, tenant: false },
  // Settings of the instance, which name no tenant.
  "GET /api/admin/lists": { tenant: false },
  "PATCH /api/admin/lists/:kind": { body: reason, tenant: false },
  "POST /api/admin/lists/:kind/poll": { tenant: false },
  "GET /api/admin/lists/refused": { tenant: true },
  "GET /api/admin/lists/refused/job": { tenant: false },
  "POST /api/admin/lists/refused/disable": { body: reason, tenant: false },
  "POST /api/admin/jobs/:queue/:id/retry": { body: reason, tenant: false },
  "POST /api/admin/jobs/:queue/:id/drop": { body: reason, tenant: false },
  "GET /api/admin/reports": { tenant: true },
  "POST /api/admin/reports/:linkId": { tenant: false },
  // Shows what administrators banned, which is in the log of the workspace already.
  "GET /api/admin/bans": { tenant: false },
  "POST /api/admin/bans": { tenant: false },
  "POST /api/admin/bans/:id/lift": { tenant: false },
  "GET /api/admin/bans/appeals": { tenant: false },
  "POST /api/admin/bans/:id/appeal": { tenant: false },
  "GET /api/admin/workspaces/:id/plan": { id: "workspace", tenant: true },
  "PUT /api/admin/workspaces/:id/plan": {
    id: "workspace",
    body: { plan: "enterprise", ...reason },
    tenant: false,
  },
  "GET /api/admin/search": { query: { text: "ada-space" }, tenant: true },
  "GET /api/admin/links": { query: { destination: "example.com" }, tenant: true },
  "POST /api/admin/links/:id/disable": { id: "link", body: reason, tenant: false },
  "GET /api/admin/workspaces": { query: { search: "ada-sp" }, tenant: true },
  "GET /api/admin/people": { tenant: false },
  "GET /api/admin/workspaces/:id": { id: "workspace", tenant: true },
  "GET /api/admin/links/:id": { id: "link", tenant: true },
  "GET /api/admin/domains/:id": { id: "domain", tenant: true },
  "GET /api/admin/people/:id": { id: "person", tenant: true },
  "POST /api/admin/people/:id/resend-confirmation": ofPerson(),
  "POST /api/admin/people/:id/end-sessions": ofPerson(),
  "POST /api/admin/people/:id/turn-off-factor": ofPerson(),
  "POST /api/admin/people/:id/make-administrator": ofPerson(),
  "POST /api/admin/people/:id/remove-administrator": ofPerson(),
};

/** They show no name that the test could look for, or those of the audit log. */
const unnamed = ["GET /api/admin/audit", "GET /api/admin/workspaces/:id/plan"];

/** Page → the operation that reads the same with the same function of lib/office; none: it shows no tenant. */
const pages: Record<string, string | undefined> = {
  "app/admin/(office)/page.tsx": "readOverview",
  "app/admin/(office)/audit/page.tsx": "listOperations",
  "app/admin/(office)/system/page.tsx": "readSystem",
  "app/admin/(office)/reports/page.tsx": "listReports",
  "app/admin/(office)/bans/page.tsx": "listBans",
  "app/admin/(office)/plans/page.tsx": "findPlanOf",
  "app/admin/(office)/usage/page.tsx": "readUsage",
  "app/admin/(office)/announcements/page.tsx": "listAnnouncements",
  "app/admin/(office)/api-keys/page.tsx": "listPendingKeys",
  "app/admin/(office)/features/page.tsx": "listFeatures",
  "app/admin/(office)/lists/page.tsx": "getInstanceLists",
  "app/admin/(office)/lists/refused/page.tsx": "listRefused",
  "app/admin/(office)/search/page.tsx": "searchOffice",
  "app/admin/(office)/links/page.tsx": "listOfficeLinks",
  "app/admin/(office)/workspaces/page.tsx": "listWorkspaces",
  "app/admin/(office)/people/page.tsx": "listPeople",
  "app/admin/(office)/workspaces/[id]/page.tsx": "viewWorkspace",
  "app/admin/(office)/links/[id]/page.tsx": "viewLink",
  "app/admin/(office)/domains/[id]/page.tsx": "viewDomain",
  "app/admin/(office)/people/[id]/page.tsx": "viewPerson",
  "app/admin/second-factor/page.tsx": "requireMissingFactor",
};

let ada: WorkspaceScope;
let eve: WorkspaceScope;
let things: Things;
let call: Caller;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  const [link] = await make(ada, [{ url: "https://example.com/" }]);
  const domain = await createDomain(ada, createDomainBody.parse({ slug: "go.ada.example" }));
  things = {
    workspace: ada.workspaceId,
    link: link?.id ?? "",
    domain: domain.id,
    person: String(ada.userId),
  };
  await fileReport(
    { link: link?.shortLink ?? "", reason: "spam", text: "", email: "" },
    "203.0.113.7",
    "en",
  );
  await createApiKey(ada, { name: "Pending at ada-space" });
  await query(sql`UPDATE api_key SET pending_approval = true`);
  const { cookie, operator } = await makeTestOperator("root");
  const blocked = changeListBody.parse({ add: ["example.com"] });
  await changeDestinationList(openInstanceLists(operator, "Walk"), "block", blocked);
  call = callerWith({ Cookie: cookie, Origin: "http://localhost:3000" });
});

beforeEach(async () => {
  await redis().flushdb();
});

function requestOf(operation: string, { id, query: values, body }: Example, of = things) {
  const [method = "", path = ""] = operation.split(" ");
  return {
    method,
    path: path.replace(":id", id ? of[id] : ""),
    ...(values ? { query: values } : {}),
    ...(body ? { body } : {}),
  };
}

async function countLooks(workspacePk: number | null): Promise<number> {
  const rows = await query(sql`
    SELECT id FROM audit
    WHERE workspace_pk IS NOT DISTINCT FROM ${workspacePk}::int AND action LIKE 'operator.%'`);
  return rows.length;
}

test("the tables have every operation and every page, and no other", () => {
  expect(Object.keys(operations).toSorted()).toEqual(listAdminRoutes().toSorted());
  const found = sources(/^app\/admin\/.*page\.tsx$/);
  expect(Object.keys(pages).toSorted()).toEqual(found.toSorted());
});

test("every operation that shows data of a tenant leaves an entry in its log, and in no other", async () => {
  const problems: string[] = [];
  for (const [operation, example] of Object.entries(operations)) {
    if (!operation.startsWith("GET ")) continue;
    const [before, others] = [await countLooks(ada.workspacePk), await countLooks(eve.workspacePk)];
    const { status, text } = await call(requestOf(operation, example));
    const added = (await countLooks(ada.workspacePk)) - before;
    const shows = /ada-space|go\.ada\.example|example\.com\/"/.test(text);
    const isRight =
      status === 200 &&
      added === (example.tenant ? 1 : 0) &&
      (shows === example.tenant || unnamed.includes(operation)) &&
      (await countLooks(eve.workspacePk)) === others;
    if (!isRight) problems.push(`${operation}: ${status}, ${added} entries, shows ${shows}`);
  }
  expect(problems).toEqual([]);
});

test("every page reads tenants with a function that leaves an entry, and asks for the administrator first", async () => {
  const { readFileSync } = await import("node:fs");
  for (const [page, reader] of Object.entries(pages)) {
    const text = readFileSync(page, "utf8");
    expect([page, text.includes(`${reader}(`)]).toEqual([page, true]);
    const guard = page.includes("second-factor") ? "requireMissingFactor()" : "requireOperator()";
    expect([page, text.includes(`await ${guard}`)]).toEqual([page, true]);
  }
});

test("every change of an account is recorded with its reason, and refused without one", async () => {
  const problems: string[] = [];
  for (const [operation, example] of Object.entries(operations)) {
    if (!operation.startsWith("POST /api/admin/people/")) continue;
    const person = await makeTestPerson(`of-${operation.split("/").at(-1)}`, {
      operator: operation.endsWith("remove-administrator"),
      factor: operation.endsWith("turn-off-factor"),
    });
    if (operation.endsWith("resend-confirmation"))
      await query(sql`UPDATE app_user SET email_proven_at = NULL WHERE pk = ${person.pk}`);
    const request = requestOf(operation, example, { ...things, person: person.id });
    const silent = await call({ ...request, body: {} });
    const short = await call({ ...request, body: { reason: "ab" } });
    const before = await countLooks(null);
    const { status } = await call(request);
    const [entry] = await query<{ reason: string }>(sql`
      SELECT details ->> 'reason' AS reason FROM audit WHERE subject = ${person.id}
      AND action LIKE 'operator.%'`);
    const isRight =
      status === 200 && (await countLooks(null)) === before + 1 && entry?.reason === reason.reason;
    if (!isRight || silent.status !== 422 || short.status !== 422)
      problems.push(`${operation}: ${status} ${silent.status} ${short.status}`);
  }
  expect(problems).toEqual([]);
});

test("for owners, keys and administrators without a second factor no operation exists or changes anything", async () => {
  const bare = await makeTestPerson("bare", { operator: true, factor: false });
  const callers: [Caller, number][] = [
    [await personCaller(ada), 404],
    [await keyCaller(eve), 404],
    [callerWith({}), 401],
    [callerWith({ Cookie: await sessionCookieOf(bare), Origin: "http://localhost:3000" }), 403],
  ];
  const before = await countLooks(ada.workspacePk);
  for (const [operation, example] of Object.entries(operations)) {
    for (const [caller, wanted] of callers) {
      const { status } = await caller(requestOf(operation, example));
      expect([operation, status]).toEqual([operation, wanted]);
    }
  }
  expect(await countLooks(ada.workspacePk)).toBe(before);
});

test("a missing object is not found, and leaves no entry", async () => {
  const missing: Things = {
    workspace: "ws_00000000000000000000000000",
    link: "link_00000000000000000000000000",
    domain: "dom_00000000000000000000000000",
    person: "user_00000000000000000000000000",
  };
  const before = await countLooks(null);
  for (const [operation, example] of Object.entries(operations)) {
    if (!example.id) continue;
    const { status } = await call(requestOf(operation, example, missing));
    expect([operation, status]).toEqual([operation, 404]);
  }
  expect(await countLooks(null)).toBe(before);
});

test("a workspace shows the beginning of its keys and never a secret", async () => {
  const { key } = await createApiKey(ada, { name: "Secret one" });
  const { text } = await call(
    requestOf("GET /api/admin/workspaces/:id", { id: "workspace", tenant: true }),
  );
  expect(text).toContain("Secret one");
  expect(text).not.toContain(key);
  expect(text).not.toMatch(/hash/i);
});
