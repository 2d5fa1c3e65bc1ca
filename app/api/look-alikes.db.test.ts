/** Warnings about destinations that look like another host, in the header of the answers. */
import { beforeAll, expect, test } from "vitest";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { fetchApi } from "./index.ts";

openTestStores();

let apiKey = "";

beforeAll(async () => {
  const scope = await makeTestScope("ada");
  await openLinks();
  apiKey = (await createApiKey(scope, { name: "Test" })).key;
});

async function ask(method: string, path: string, body: object, headers: object = {}) {
  const text = JSON.stringify(body);
  const response = await fetchApi(
    new Request(`http://localhost/api${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        "Content-Type": "application/json",
        "Content-Length": String(Buffer.byteLength(text)),
        ...headers,
      },
      body: text,
    }),
    "203.0.113.7",
  );
  const found = response.headers.get("x-fuxi-look-alike");
  return { status: response.status, found, json: await response.json() };
}

const imitated = "https://g00gle.example/login";
const warning = '"g00gle.example";reason=like;like="google"';

test("creating, updating and upserting a link with an imitated host is answered with a warning, and the same body", async () => {
  const plain = await ask("POST", "/links", { url: "https://example.com/" });
  expect([plain.status, plain.found]).toEqual([200, null]);
  const made = await ask("POST", "/links", { url: imitated });
  expect([made.status, made.found]).toEqual([200, warning]);
  expect(Object.keys(made.json)).toEqual(Object.keys(plain.json));
  for (const method of ["PATCH", "PUT"]) {
    const edited = await ask(method, `/links/${plain.json.id}`, { url: imitated });
    expect([edited.status, edited.found]).toEqual([200, warning]);
  }
  const other = await ask("PATCH", `/links/${plain.json.id}`, { title: "A title" });
  expect([other.status, other.found]).toEqual([200, null]);
  const upserted = await ask("PUT", "/links/upsert", { url: imitated, title: "Again" });
  expect([upserted.status, upserted.found]).toEqual([200, warning]);
});

test("every kind of destination is checked, also without a scheme", async () => {
  const url = "https://example.com/";
  for (const body of [
    { url: "g00gle.example/login" },
    { url, expiredUrl: imitated, expiresAt: "2100-01-01T00:00:00Z" },
    { url, ios: imitated },
    { url, android: imitated },
    { url, geo: { DE: imitated } },
  ]) {
    const { status, found } = await ask("POST", "/links", body);
    expect([status, found], JSON.stringify(body)).toEqual([200, warning]);
  }
});

test("a host that imitates the domain of the link, and letters of other scripts, are named in ASCII", async () => {
  const own = await ask("POST", "/links", { url: "https://exämple.com/" });
  expect([own.status, own.found]).toEqual([200, '"xn--exmple-cua.com";reason=punycode']);
  const mixed = await ask("POST", "/links", { url: "https://shоp.example/" });
  expect(mixed.found).toMatch(/^"xn--[a-z0-9-]+\.example";reason=mixed$/);
});

test("a bulk request names each host once, and 20 at most", async () => {
  const hosts = Array.from({ length: 21 }, (_, at) => `https://g00gle.${at}.example/`);
  const some = await ask("POST", "/links/bulk", [
    { url: "https://example.com/" },
    { url: imitated },
    { url: imitated, title: "Again" },
  ]);
  expect([some.status, some.found]).toEqual([200, warning]);
  const listed = async (count: number) => {
    const rows = hosts.slice(0, count).map((url) => ({ url }));
    return (await ask("POST", "/links/bulk", rows)).found?.split(", ").length;
  };
  expect([await listed(20), await listed(21)]).toEqual([20, 20]);
  const queued = await ask("POST", "/links/bulk", [{ url: imitated }], { Prefer: "respond-async" });
  expect([queued.status, queued.found]).toEqual([202, warning]);
});

test("a bulk update is answered with the warning about its destination", async () => {
  const { json } = await ask("POST", "/links", { url: "https://example.com/" });
  const edited = await ask("PATCH", "/links/bulk", { linkIds: [json.id], data: { ios: imitated } });
  expect([edited.status, edited.found]).toEqual([200, warning]);
});

test("what a client sends cannot break the header", async () => {
  const rows = [
    { url: "https://example.comx/", domain: 'exa"mple.com\r\nx' },
    { url: 7, geo: "https://g00gle.example/", rules: [null, 1, { url: {} }], testVariants: "x" },
    null,
  ];
  const { found } = await ask("POST", "/links/bulk", rows);
  expect(found).toBe('"example.comx";reason=like;like="exa?mple.com??x"');
});

test("a host that was checked for one domain is checked again for another", async () => {
  const rows = (domain: string) => [{ url: "https://examp1e.net/", domain }];
  const like = async (domain: string) => (await ask("POST", "/links/bulk", rows(domain))).found;
  expect(await like("other.net")).toBeNull();
  expect(await like("example.net")).toBe('"examp1e.net";reason=like;like="example.net"');
  expect(await like("other.net")).toBeNull();
});
