import { beforeAll, expect, test } from "vitest";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { createApiKey, revokeApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { make } from "../../test/links.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { fetchApi } from "./index.ts";

openTestStores();

let ada: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  await ensurePartitions(["click"], [Date.now()]);
  ada = await makeTestScope("ada");
  await make(ada, [{ url: "https://example.com/" }]);
});

async function click(): Promise<void> {
  await query(sql`
    INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link,
      first_of_workspace, id)
    SELECT now(), pk, workspace_pk, domain_pk, false, true, true, true, gen_random_uuid()
    FROM link
    WHERE workspace_pk = ${ada.workspacePk}`);
}

async function listen(key: string, headers: Record<string, string> = {}): Promise<Response> {
  const request = new Request("http://localhost:3000/api/events/live", {
    headers: { Authorization: `Bearer ${key}`, ...headers },
  });
  return await fetchApi(request, "203.0.113.7");
}

/** Reads a stream until its text contains something, or until it ends. */
async function readUntil(response: Response, wanted: string | undefined): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (reader) {
    const { done, value } = await reader.read();
    text += value ?? "";
    if (done || (wanted !== undefined && text.includes(wanted))) break;
  }
  await reader?.cancel();
  return text;
}

test("a stream sends each click with an id to resume from, and a heartbeat while no click arrives", async () => {
  const { key } = await createApiKey(ada, { name: "Reader", scopes: ["analytics.read"] });
  const response = await listen(key);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const read = readUntil(response, "\n:\n");
  await click();
  const text = await read;
  expect(text).toMatch(/^retry: 2000\n\n/);
  expect(text).toMatch(/id: (\d{13}-[0-9a-f-]{36})\nevent: click\ndata: \{"id":"\1"/);
  expect(text).toContain('"trigger":"qr"');
});

test("a stream ends when its key is revoked", async () => {
  const { key, apiKey } = await createApiKey(ada, { name: "Short", scopes: ["analytics.read"] });
  const response = await listen(key);
  await revokeApiKey(ada, apiKey.id);
  await readUntil(response, undefined);
  expect((await listen(key)).status).toBe(401);
});

test("a key without the permission to read analytics is refused, and so is a request without a key", async () => {
  const { key } = await createApiKey(ada, { name: "Links", scopes: ["links.read"] });
  expect((await listen(key)).status).toBe(403);
  expect((await fetchApi(new Request("http://localhost:3000/api/events/live"), "")).status).toBe(
    401,
  );
});
