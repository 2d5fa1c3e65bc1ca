/** The rate limit of a key, and its response headers. */
import { beforeAll, expect, test } from "vitest";
import { createApiKey } from "#lib/identity/api-keys";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openWorkspace } from "#lib/tenancy/workspaces";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { fetchApi } from "./index.ts";

openTestStores({ FUXI_API_RATE_PER_MINUTE: "70" });

let scope: WorkspaceScope;

beforeAll(async () => {
  scope = await makeTestScope("ada");
});

async function newKey(): Promise<string> {
  return (await createApiKey(scope, { name: "Test" })).key;
}

async function ask(key: string, path = "/me", init: RequestInit = {}) {
  const headers = { Authorization: `Bearer ${key}`, ...init.headers };
  const request = new Request(`http://localhost/api${path}`, { ...init, headers });
  return await fetchApi(request, "203.0.113.7");
}

test("a key has max calls a minute, responses count down, and the next is a 429", async () => {
  const key = await newKey();
  const startedAt = Date.now() / 1_000;
  const first = await ask(key);
  expect(first.status).toBe(200);
  expect(first.headers.get("x-ratelimit-limit")).toBe("70");
  expect(first.headers.get("x-ratelimit-remaining")).toBe("69");
  // Between the moments before and after the call, however far apart they are.
  const resetsAt = Number(first.headers.get("x-ratelimit-reset"));
  expect(resetsAt - startedAt).toBeGreaterThan(58);
  expect(resetsAt - Date.now() / 1_000).toBeLessThan(64);
  const answers = await Promise.all(Array.from({ length: 99 }, () => ask(key)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(69);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers.get("x-ratelimit-remaining")).toBe("0");
  const retryAfter = Number(refused?.headers.get("retry-after"));
  expect(retryAfter + Date.now() / 1_000 - startedAt).toBeGreaterThan(55);
  expect(retryAfter).toBeLessThanOrEqual(62);
  const body: unknown = await refused?.json();
  expect(body).toMatchObject({ error: { code: "rate_limit_exceeded" } });
  expect((await ask(await newKey())).status).toBe(200);
});

test("every response has the remaining calls, errors too", async () => {
  const key = await newKey();
  const headers = { "Content-Type": "application/json" };
  const answers = [
    await ask(key, "/none"),
    await ask(key, "/links", { method: "POST", body: "{}", headers }),
    await ask(key, "/api-keys"),
    await ask(key, "/links", { method: "POST", body: "{", headers }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 422, 403, 400]);
  const left = answers.map((answer) => answer.headers.get("x-ratelimit-remaining"));
  expect(left).toEqual(["69", "68", "67", "66"]);
});

test("a plan with fewer calls applies before the installation's rate", async () => {
  await query(sql`UPDATE workspace SET plan = 'free' WHERE pk = ${scope.workspacePk}`);
  const free = await openWorkspace(String(scope.userId), scope.slug);
  const key = free && (await createApiKey(free, { name: "Free" })).key;
  expect((await ask(String(key))).headers.get("x-ratelimit-limit")).toBe("60");
});

/** A call of a tool, in the protocol of earlier clients. */
async function callTool(key: string, name: string, given: object) {
  const params = { name, arguments: given };
  return await ask(key, "/mcp", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2025-06-18",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
}

test("a call of an MCP tool counts once, whether it is known, unknown or has invalid arguments", async () => {
  for (const [name, given] of [
    ["list_links", {}],
    ["no_such_tool", {}],
    ["list_links", { limit: "many" }],
  ] as const) {
    const key = await newKey();
    await (await callTool(key, name, given)).text();
    const { headers } = await ask(key);
    const left = Number(headers.get("x-ratelimit-limit")) - 2;
    expect(headers.get("x-ratelimit-remaining"), name).toBe(String(left));
  }
});

test("after the limit, calls of unknown MCP tools are refused", async () => {
  const key = await newKey();
  const left = Number((await ask(key)).headers.get("x-ratelimit-remaining"));
  for (let call = 0; call < left; call++) {
    expect((await callTool(key, "no_such_tool", {})).status).toBe(200);
  }
  expect((await callTool(key, "no_such_tool", {})).status).toBe(429);
});
