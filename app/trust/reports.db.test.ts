/** The pages that confirm and unsubscribe addresses of email reports, over HTTP and without a session. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newUuid } from "#lib/basics/ids";
import { reportLinkPurpose } from "#lib/outreach/email-reports";
import { query, sql } from "#lib/platform/postgres";
import { sealBlock } from "#lib/platform/sealing";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { answerTrustPage } from "./index.ts";

openTestStores();
let server: Server;
let url: string;
let ada: WorkspaceScope;
let token: string;

beforeAll(async () => {
  ada = await makeTestScope("ada");
  server = createServer((req, res) => {
    if (!answerTrustPage(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(async () => {
  await query(sql`DELETE FROM report_subscription`);
  const id = newUuid();
  await query(sql`
    WITH report AS (
      INSERT INTO report_subscription (id, workspace_pk, kind, frequency, locale, next_at)
      VALUES ('rep_1', ${ada.workspacePk}, 'workspace', 'daily', 'en', now())
      RETURNING pk
    )
    INSERT INTO report_recipient (id, subscription_pk, email, asked_at)
    SELECT ${id}::uuid, pk, 'eve@elsewhere.example', now() FROM report`);
  const block = Buffer.from(id.replaceAll("-", ""), "hex");
  token = sealBlock(reportLinkPurpose, block).toString("base64url");
});

async function stateOf(): Promise<{ confirmed: boolean; stopped: boolean } | undefined> {
  return await query.one(sql`
    SELECT confirmed_at IS NOT NULL AS confirmed, stopped_at IS NOT NULL AS stopped
    FROM report_recipient`);
}

async function open(path: string, language = "en") {
  const answer = await fetch(`${url}${path}?t=${token}`, {
    headers: { "Accept-Language": language },
  });
  return { status: answer.status, text: await answer.text() };
}

async function press(path: string, body: URLSearchParams | FormData = new URLSearchParams()) {
  const answer = await fetch(`${url}${path}?t=${token}`, { method: "POST", body });
  return answer.status;
}

test("opening the links changes nothing, because scanners of emails open them", async () => {
  expect((await open("/verify/report")).text).toContain("Confirm address");
  expect((await open("/verify/report", "zh")).text).toContain("确认邮箱");
  expect((await open("/optout/report")).text).toContain("Unsubscribe");
  expect((await open("/optout/report", "zh")).text).toContain("退订");
  expect(await stateOf()).toEqual({ confirmed: false, stopped: false });
});

test("a button confirms the address", async () => {
  expect([await press("/verify/report"), await press("/verify/report")]).toEqual([200, 200]);
  expect(await stateOf()).toEqual({ confirmed: true, stopped: false });
  expect((await open("/verify/report")).text).toContain("Your address is confirmed");
});

test("mail programs unsubscribe by one POST, with either kind of form", async () => {
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  expect(await press("/optout/report", form)).toBe(200);
  expect(await stateOf()).toEqual({ confirmed: false, stopped: true });
  expect(
    await press("/optout/report", new URLSearchParams({ "List-Unsubscribe": "One-Click" })),
  ).toBe(200);
});

test("an unsubscribed address is not confirmed again by the earlier link", async () => {
  await press("/verify/report");
  await press("/optout/report");
  expect(await press("/verify/report")).toBe(404);
  expect(await stateOf()).toEqual({ confirmed: true, stopped: true });
});

test("forged links are missing", async () => {
  token = "A".repeat(22);
  expect((await open("/optout/report")).status).toBe(404);
  expect(await press("/optout/report")).toBe(404);
  expect(await press("/verify/report")).toBe(404);
});
