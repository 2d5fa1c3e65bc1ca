/** Bans and reports over the API of administrators. */
import { beforeAll, expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { fileReport } from "#lib/office/reports";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { appealBan, noticeTokenOf } from "#lib/tenancy/ban-recipients";
import { callerWith, keyCaller } from "../../../test/api-callers.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";

const token = "0123456789abcdef0123456789abcdef";
openTestStores({ FUXI_ADMIN_TOKEN: token });
const admin = callerWith({ Authorization: `Bearer ${token}` });
let ada: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
});

async function call(method: string, path: string, body?: object) {
  const answer = await admin({ method, path: `/api/admin${path}`, ...(body ? { body } : {}) });
  return { status: answer.status, body: JSON.parse(answer.text) };
}

test("a ban is created, listed, appealed, declined and lifted", async () => {
  const ban = { kind: "workspace", subject: ada.slug, reason: "spam", note: "Only spam" };
  const created = await call("POST", "/bans", ban);
  expect(created).toMatchObject({
    status: 201,
    body: { subject: ada.workspaceId, actor: "system" },
  });
  expect((await call("POST", "/bans", ban)).status).toBe(409);
  expect((await call("GET", "/bans?kind=workspace")).body).toMatchObject([{ note: "Only spam" }]);
  const { id } = created.body;
  await appealBan(noticeTokenOf(id, ada.actor), "These are my newsletters.");
  const appeals = await call("GET", "/bans/appeals");
  expect(appeals.body).toMatchObject([{ ban: { id }, user: { id: ada.actor } }]);
  const decision = { userId: ada.actor, accept: false, note: "Still spam" };
  expect((await call("POST", `/bans/${id}/appeal`, decision)).status).toBe(200);
  expect((await call("POST", `/bans/${id}/appeal`, decision)).status).toBe(404);
  expect((await call("POST", `/bans/${id}/lift`, { note: "A mistake" })).status).toBe(200);
  expect((await call("POST", `/bans/${id}/lift`, { note: "A mistake" })).status).toBe(404);
  expect((await call("GET", "/bans?state=lifted")).body).toMatchObject([{ id }]);
});

test("reports are listed and decided", async () => {
  const [made] = await createLinks(ada, [{ url: "https://example.com/" }]);
  const link = made?.ok ? made.link : undefined;
  const form = { link: link?.id ?? "", reason: "spam", text: "", email: "" } as const;
  await fileReport(form, "198.18.0.1", "en");
  expect((await call("GET", "/reports")).body).toMatchObject([{ linkId: link?.id, reports: 1 }]);
  const dismissal = { action: "dismiss", note: "Harmless" };
  expect((await call("POST", `/reports/${link?.id}`, dismissal)).status).toBe(200);
  expect((await call("POST", `/reports/${link?.id}`, dismissal)).status).toBe(404);
});

test("wrong bodies are refused, and for the key of an owner there is no such endpoint", async () => {
  for (const body of [{}, { kind: "host", subject: "x.example", reason: "spam", note: "x" }]) {
    expect((await call("POST", "/bans", body)).status).toBe(422);
  }
  const owner = await keyCaller(ada);
  for (const path of ["/api/admin/bans", "/api/admin/reports"]) {
    expect((await owner({ method: "GET", path })).status).toBe(404);
  }
});
