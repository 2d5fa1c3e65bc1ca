import { beforeAll, expect, test } from "vitest";
import { approveKey, createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { callerWith } from "../../test/api-callers.ts";
import { makeTestOperator } from "../../test/operators.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";

openTestStores({ FUXI_KEY_APPROVAL: "on" });

beforeAll(async () => {
  openCoherence();
  await openLinks();
});

test("calls with a pending API key get 403 with the reason and change nothing, until it is approved", async () => {
  const { operator } = await makeTestOperator("root");
  const scope = await makeTestScope("ada");
  const { key, apiKey } = await createApiKey(scope, { name: "Shop" });
  const call = callerWith({ Authorization: `Bearer ${key}` });
  const create = { method: "POST", path: "/api/links", body: { url: "https://example.com/" } };
  const refused = await call(create);
  expect(refused.status).toBe(403);
  expect(JSON.parse(refused.text)).toMatchObject({
    error: {
      code: "forbidden",
      message: expect.stringContaining("is waiting for approval"),
      problem: { code: "key_pending" },
    },
  });
  const links = () => query(sql`SELECT 1 FROM link WHERE workspace_pk = ${scope.workspacePk}`);
  expect(await links()).toHaveLength(0);
  await approveKey(operator, apiKey.id, "Known shop");
  expect((await call(create)).status).toBe(200);
  expect(await links()).toHaveLength(1);
});
