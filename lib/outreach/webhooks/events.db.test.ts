/** Events that are not about links or clicks, from where they happen. */
import { beforeAll, expect, test } from "vitest";
import { addOptOuts, optOutBySystem } from "#lib/outreach/opt-outs";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { createWebhook } from "./index.ts";
import { createWebhookBody } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;

beforeAll(async () => {
  ada = await makeTestScope("ada");
  const events = ["recipient.opted_out", "campaign.finished", "import.finished", "domain.failing"];
  const url = "https://example.com/hook";
  await createWebhook(ada, createWebhookBody.parse({ name: "All", url, events }));
});

test("an opt-out is told once, whoever made it, and without the phone", async () => {
  const phones = ["+8613800138000", "+8613800138001"];
  await addOptOuts(ada, { phones });
  await optOutBySystem(ada.workspacePk, ["+8613800138001", "+8613800138002"], "reply");
  const rows = await query<{ type: string; data: object }>(
    sql`
      SELECT event.*
      FROM webhook_outbox
      CROSS JOIN LATERAL json_to_recordset(events) AS event (type text, data jsonb)
      WHERE workspace_pk = ${ada.workspacePk}`,
  );
  expect(rows.map(({ type }) => type)).toEqual(Array(3).fill("recipient.opted_out"));
  expect(JSON.stringify(rows)).not.toContain("138001380");
  expect(rows[0]?.data).toEqual({ id: expect.stringMatching(/^opt_/), messages: [] });
});
