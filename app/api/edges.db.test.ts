/** Invalid requests that are rejected before any endpoint: texts, bodies and URLs. */
import { beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { timeBound } from "../../test/bounds.ts";
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

async function ask(method: string, path: string, body?: BodyInit, type = "application/json") {
  const length = body instanceof Uint8Array ? body.byteLength : Buffer.byteLength(String(body));
  const response = await fetchApi(
    new Request(`http://localhost/api${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { "Content-Type": type, "Content-Length": String(length) }),
      },
      ...(body === undefined ? {} : { body }),
    }),
    "203.0.113.7",
  );
  return { status: response.status, text: await response.text() };
}

const post = (body: BodyInit) => ask("POST", "/links", body);

describe("texts that cannot be stored", () => {
  const half = "\\ud83d";
  test.each([
    ['{"url":"https://example.com/","title":"a\\u0000b"}', "title"],
    [`{"url":"https://example.com/","title":"a${half}"}`, "title"],
    [`{"url":"https://example.com/","title":"${half}\\u0041"}`, "title"],
    ['{"url":"https://example.com/","comments":"\\uDE00"}', "comments"],
    ['{"url":"https://example.com/","tagNames":["ok","\\u0000"]}', "tagNames.1"],
    ['{"url":"https://example.com/","geo":{"D\\u0000":"x"}}', "geo"],
    ['{"url":"https://example.com/","unknown":{"deep":[{"x":"\\u0000"}]}}', "unknown.deep.0.x"],
    ['"\\u0000"', "body"],
  ])("are refused by the name of their field: %s", async (body, field) => {
    const { status, text } = await post(body);
    expect(status).toBe(422);
    expect(JSON.parse(text).error.message).toMatch(
      new RegExp(`^${field.replaceAll(".", "\\.")}: `),
    );
  });

  test("are distinguished from texts that only resemble them", async () => {
    const title = "\\ud83d\\ude00 \\\\u0000 \\\\ud800";
    const { status, text } = await post(`{"url":"https://example.com/","title":"${title}"}`);
    expect([status, JSON.parse(text).title]).toEqual([200, "😀 \\u0000 \\ud800"]);
  });

  test.each(["/links?search=%00", "/links/%00", "/links/info?key=a%00b", "/links?domain=%00"])(
    "are refused in an address: %s",
    async (path) => {
      expect((await ask("GET", path)).status).toBe(400);
    },
  );

  test.each(["/links?search=%ff", "/links/%ff", "/links/%ed%a0%80", "/links/%", "/links?x=%zz"])(
    "never cause a 500 for an address that is not UTF-8: %s",
    async (path) => {
      expect((await ask("GET", path)).status).toBeLessThan(500);
    },
  );
});

describe("bodies", () => {
  test("that are not UTF-8 are a 400", async () => {
    const around = Buffer.from('{"url":"https://example.com/","title":""}');
    for (const bad of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]]) {
      const body = Buffer.concat([around.subarray(0, -2), Buffer.from(bad), around.subarray(-2)]);
      expect((await post(new Uint8Array(body))).status).toBe(400);
    }
  });

  test("may begin with a byte order mark, as some programs write it", async () => {
    expect((await post('\ufeff{"url":"https://example.com/"}')).status).toBe(200);
  });

  test("are nested at most 32 levels deep", async () => {
    const ofDepth = (depth: number) =>
      `{"url":"https://example.com/","x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    expect((await post(ofDepth(32))).status).toBe(200);
    expect((await post(ofDepth(33))).status).toBe(400);
    expect((await post(ofDepth(400_000))).status).toBe(400);
    const brackets = "[".repeat(100);
    expect((await post(`{"url":"https://example.com/","title":"\\"${brackets}"}`)).status).toBe(
      200,
    );
  });

  test("of a million quotes are refused quickly", async () => {
    const startedAt = performance.now();
    expect((await post(`"${'\\"'.repeat(500_000)}`)).status).toBe(400);
    expect(performance.now() - startedAt).toBeLessThan(timeBound(1_000));
  });

  test("of bulk calls may be longer than those of others, but are limited", async () => {
    const ofLength = (bytes: number) => `["${"x".repeat(bytes - 4)}"]`;
    const bulk = (body: string) => ask("POST", "/links/bulk", body);
    const megabyte = 1024 * 1024;
    expect((await ask("POST", "/links", ofLength(megabyte + 1))).text).toContain(
      "The limit is 1 MB",
    );
    expect((await bulk(ofLength(16 * megabyte + 1))).text).toContain("The limit is 16 MB");
  });

  test("that are arrays, numbers or null where an object belongs are a 422", async () => {
    for (const body of ["[]", "1", "null", '"x"', "true"]) {
      expect((await post(body)).status).toBe(422);
    }
  });

  test("that are empty, truncated or of another type are a 400", async () => {
    for (const body of ["", "{", '{"url":']) expect((await post(body)).status).toBe(400);
    const type = "application/x-www-form-urlencoded";
    expect((await ask("POST", "/links", "url=https://example.com/", type)).status).toBe(400);
  });
});
