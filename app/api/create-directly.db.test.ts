/** Single creates without the framework: what is answered is what the framework answers. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApiKey, revokeApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { findKeyUse, flushKeyUse } from "#lib/tenancy/key-use";
import { keyUseQuery } from "#lib/tenancy/key-use/schema";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { directScope } from "./create-directly.ts";
import { handleApi } from "./index.ts";

openTestStores();

const triesMax = 20;

let server: Server;
let base: string;
let ada: WorkspaceScope;
let key: string;
/** Whether each request so far was handled without the framework. */
let direct: boolean[] = [];

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  key = (await newKey()).key;
  server = createServer((req, res) => {
    direct.push(directScope(req, "127.0.0.1") !== undefined);
    handleApi(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/links`;
});

beforeEach(() => {
  direct = [];
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function newKey(terms = {}) {
  const { key: text, apiKey } = await createApiKey(ada, { name: "Test", ...terms });
  return { key: text, id: apiKey.id };
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** The name of an app leads to the framework. */
async function send(
  way: "" | "framework",
  headers: Record<string, string>,
  body: string | Uint8Array<ArrayBuffer>,
  bearer = key,
): Promise<Answer> {
  const response = await fetch(base, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${bearer}`,
      "Content-Type": "application/json",
      ...(way === "" ? {} : { "X-Fuxi-App": way }),
      ...headers,
    },
    body,
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: (await response.json()) as Record<string, unknown>,
  };
}

/**
 * The answer of a call that was handled without the framework. What a process knows of a key is forgotten after a minute,
 * and whenever caches are: the framework admits the next call then.
 */
async function sendDirectly(body: string | Uint8Array<ArrayBuffer>, bearer = key): Promise<Answer> {
  for (let tries = 0; tries < triesMax; tries++) {
    const answer = await send("", {}, body, bearer);
    if (direct.at(-1)) return answer;
  }
  throw new Error(`None of ${triesMax} calls was handled without the framework`);
}

/** Without what differs between any two calls. */
function comparable({ status, headers, body }: Answer) {
  const { date: _date, "x-request-id": requestId, ...rest } = headers;
  const ownValues = ["id", "key", "shortLink", "qrCode", "createdAt", "retirementDue", "updatedAt"];
  const kept = Object.entries(body).map(([name, value]) => [
    name,
    ownValues.includes(name) ? typeof value : value,
  ]);
  return { status, rest, id: requestId?.slice(0, 4), body: Object.fromEntries(kept) };
}

const bodies: Record<string, string | Uint8Array<ArrayBuffer>> = {
  "a URL": `{"url":"https://example.com/orders/1?utm_source=sms"}`,
  "many fields": `{"url":"https://example.com/2","title":"Autumn","comments":"é 秋","tagNames":["autumn"]}`,
  "an unknown field": `{"url":"https://example.com/3","newerField":1}`,
  "a host that looks like another": `{"url":"https://g00gle.com/"}`,
  "a byte order mark": `\ufeff{"url":"https://example.com/4"}`,
  "no URL": "{}",
  "a wrong type": `{"url":5}`,
  "an invalid URL": `{"url":"http://"}`,
  "an unknown domain": `{"url":"https://example.com/5","domain":"nobody.example"}`,
  "a loop": `{"url":"http://localhost/abc"}`,
  "no JSON": "url=https://example.com",
  "a list": "[]",
  "a text": `"https://example.com"`,
  "U+0000": `{"url":"https://example.com/6","title":"a\\u0000"}`,
  "half a surrogate pair": `{"url":"https://example.com/7","title":"\\ud800"}`,
  "invalid UTF-8": Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
  "deep nesting": `${"[".repeat(40)}${"]".repeat(40)}`,
  "a key of the prototype": `{"url":"https://example.com/8","__proto__":{"title":"x"}}`,
};

describe("the same answer as by the framework", () => {
  test.each(Object.entries(bodies))("%s", async (_name, body) => {
    const answers = [await sendDirectly(body), await send("framework", {}, body)];
    expect(direct.at(-1)).toBe(false);
    const [ours, framework] = answers.map(comparable);
    expect(ours).toEqual(framework);
  });

  test("a taken key", async () => {
    const body = `{"url":"https://example.com/taken","key":"taken-key"}`;
    expect((await send("framework", {}, body)).status).toBe(200);
    const [ours, framework] = [await sendDirectly(body), await send("framework", {}, body)];
    expect(ours.status).toBe(409);
    expect(comparable(ours)).toEqual(comparable(framework));
  });

  test("64 KB directly, and one byte more by the framework", async () => {
    const fill = (bytes: number) => {
      const [start, end] = [`{"url":"https://example.com/9"`, "}"];
      return start + " ".repeat(bytes - start.length - end.length) + end;
    };
    const answers = [await sendDirectly(fill(65_536)), await send("", {}, fill(65_537))];
    expect(direct.at(-1)).toBe(false);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});

test.each([
  ["Idempotency-Key", "one"],
  ["X-Fuxi-App", "shop/1"],
  ["Content-Type", "text/plain"],
])("a call with the header %s goes to the framework", async (name, value) => {
  await send("", { [name]: value }, `{"url":"https://example.com/special"}`);
  expect(direct).toEqual([false]);
});

test("a revoked key is refused at once", async () => {
  const own = await newKey();
  const body = `{"url":"https://example.com/revoked"}`;
  expect((await sendDirectly(body, own.key)).status).toBe(200);
  // A new key is known after its first call.
  expect(direct[0]).toBe(false);
  await revokeApiKey(ada, own.id);
  expect((await send("", {}, body, own.key)).status).toBe(401);
  expect(direct.at(-1)).toBe(false);
});

test("a key without the scope is refused, and one from another address", async () => {
  const reader = await newKey({ scopes: ["links.read"] });
  const elsewhere = await newKey({ allowedAddresses: ["203.0.113.7"] });
  const body = `{"url":"https://example.com/refused"}`;
  for (const own of [reader, elsewhere]) {
    const answers = [
      await send("framework", {}, body, own.key),
      await send("", {}, body, own.key),
      await send("framework", {}, body, own.key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(answers[1]?.body).toEqual(answers[2]?.body);
  }
});

test("the rate of the key holds over both ways, and calls are counted", async () => {
  const own = await newKey({ callsPerMinute: 3 });
  const body = `{"url":"https://example.com/rate"}`;
  const answers: Answer[] = [];
  for (const way of ["framework", "", "framework"] as const) {
    answers.push(await send(way, {}, body, own.key));
  }
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers[1]?.headers["x-ratelimit-remaining"]).toBe("1");
  const refused = [await sendDirectly(body, own.key), await send("framework", {}, body, own.key)];
  expect(refused.map(({ status }) => status)).toEqual([429, 429]);
  expect(Number(refused[0]?.headers["retry-after"])).toBeGreaterThan(0);
  await flushKeyUse();
  const use = await findKeyUse(ada, own.id, keyUseQuery.parse({}));
  const calls = direct.length;
  expect(use).toMatchObject({ calls, refusals: calls - 3, links: 3, lastAddress: "127.0.0.1" });
});

test("a body that ends early creates nothing", async () => {
  const { connect } = await import("node:net");
  const { query, sql } = await import("#lib/platform/postgres");
  const url = "https://example.com/half";
  await sendDirectly(`{"url":"https://example.com/whole"}`);
  const calls = direct.length;
  const socket = connect(Number(new URL(base).port), "127.0.0.1");
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  socket.write(
    `POST /api/links HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"url":"${url}"}`,
  );
  await expect.poll(() => direct.length).toBe(calls + 1);
  socket.destroy();
  // A complete request after it is answered, so the process is well.
  expect((await send("", {}, `{"url":"https://example.com/after"}`)).status).toBe(200);
  expect(await query(sql`SELECT 1 FROM link WHERE url = ${url}`)).toEqual([]);
});
