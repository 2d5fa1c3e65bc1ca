import { beforeAll, expect, test } from "vitest";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import type { OperatorScope } from "#lib/tenancy/operators";
import { makeTestOperator } from "../../../test/operators.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  admitApiKey,
  adoptApiKey,
  approveKey,
  createApiKey,
  declineKey,
  listApiKeys,
  listPendingKeys,
  revokeApiKey,
  rotateApiKey,
} from "./index.ts";

openTestStores({ FUXI_KEY_APPROVAL: "on" });

let operator: OperatorScope;
let ada: WorkspaceScope;

beforeAll(async () => {
  openCoherence();
  ({ operator } = await makeTestOperator("root"));
  ada = await makeTestScope("ada");
});

async function codeOf(key: string, address = "198.51.100.1"): Promise<string> {
  const admission = await admitApiKey(key, address);
  return admission.ok ? "ok" : admission.code;
}

async function operationsOf(id: string) {
  return await query(sql`
    SELECT action, workspace_pk AS "workspacePk", details ->> 'reason' AS reason
    FROM audit WHERE subject = ${id} AND action LIKE 'operator.%' ORDER BY id`);
}

test("a new key is refused until it is approved, its creator is notified, and the owners can read why", async () => {
  const { key, apiKey } = await createApiKey(ada, { name: "Shop" });
  expect(apiKey.pendingApproval).toBe(true);
  expect(await codeOf(key)).toBe("pending");
  expect(await listPendingKeys(operator)).toMatchObject([
    { id: apiKey.id, name: "Shop", workspace: { id: ada.workspaceId }, scopes: ["all"] },
  ]);
  await approveKey(operator, apiKey.id, "Known shop");
  expect(await codeOf(key)).toBe("ok");
  expect(await listPendingKeys(operator)).toEqual([]);
  expect(await listApiKeys(ada)).toMatchObject([{ pendingApproval: false }]);
  expect(await listNotifications(ada)).toMatchObject([
    { kind: "key.approved", subject: apiKey.id, details: { name: "Shop" } },
  ]);
  const { workspacePk } = ada;
  expect(await operationsOf(apiKey.id)).toEqual([
    { action: "operator.approve_key", workspacePk, reason: "Known shop" },
  ]);
  await expect(approveKey(operator, apiKey.id, "Again")).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(declineKey(operator, apiKey.id, "Too late")).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a declined key is revoked, and its creator can read the reason", async () => {
  const { key, apiKey } = await createApiKey(ada, { name: "Unknown" });
  expect(await codeOf(key)).toBe("pending");
  await declineKey(operator, apiKey.id, "Ask first");
  expect(await codeOf(key)).toBe("unknown");
  expect((await listApiKeys(ada)).map(({ id }) => id)).not.toContain(apiKey.id);
  const [latest] = await listNotifications(ada);
  expect(latest).toMatchObject({ kind: "key.declined", details: { reason: "Ask first" } });
});

test("a rotated key stays pending with both secrets, and approval is for both", async () => {
  const { key, apiKey } = await createApiKey(ada, { name: "Rotated" });
  const rotated = await rotateApiKey(ada, apiKey.id, { overlapSeconds: 3_600 });
  expect(rotated?.apiKey.pendingApproval).toBe(true);
  const secrets = [key, rotated?.key ?? ""];
  for (const secret of secrets) expect(await codeOf(secret)).toBe("pending");
  await approveKey(operator, apiKey.id, "Known app");
  for (const secret of secrets) expect(await codeOf(secret)).toBe("ok");
});

test("a revoked key is not listed, and the list is recorded once per workspace that it shows", async () => {
  const eve = await makeTestScope("eve");
  const first = await createApiKey(eve, { name: "One" });
  await createApiKey(eve, { name: "Two" });
  await revokeApiKey(eve, first.apiKey.id);
  const looks = () =>
    query(
      sql`SELECT 1 FROM audit WHERE workspace_pk = ${eve.workspacePk} AND action = 'operator.view'`,
    );
  expect((await listPendingKeys(operator)).map(({ name }) => name)).toEqual(["Two"]);
  expect(await looks()).toHaveLength(1);
});

test("an address that is not allowed is not told that the key is pending, and the key of the setup needs no approval", async () => {
  const terms = { name: "Bound", allowedAddresses: ["203.0.113.7"] };
  const { key } = await createApiKey(ada, terms);
  expect(await codeOf(key, "198.51.100.1")).toBe("address");
  expect(await codeOf(key, "203.0.113.7")).toBe("pending");
  const own = `fuxi_${"a".repeat(32)}`;
  await adoptApiKey(ada, own);
  expect(await codeOf(own)).toBe("ok");
});
