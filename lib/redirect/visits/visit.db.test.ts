import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { channel } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { send } from "../../../test/http-client.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { openRedirect, visit, visitCached } from "./index.ts";

openTestStores();

let server: Server;
/** Visits that memory could not answer. */
let loaded = 0;
let scope: WorkspaceScope;
const past = "2020-01-01T00:00:00Z";
const future = "2100-01-01T00:00:00Z";
const url = "https://example.com/there?a=1";

beforeAll(async () => {
  await openLinks();
  await openRedirect();
  // The first message of the channel starts an epoch, in which visits do not use what memory had before.
  await vi.waitFor(() => expect(channel.listening).toBe(true), 300_000);
  scope = await makeTestScope("visits");
  server = createServer((req, res) => {
    if (visitCached(req, res)) return;
    loaded += 1;
    void visit(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

async function make(body: object): Promise<string> {
  const [outcome] = await createLinks(scope, [{ url, ...body }]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  return outcome.link.key;
}

interface VisitResponse {
  status: number;
  location: string | undefined;
  body: string;
}

async function ask(
  path: string,
  { host = "localhost", method = "GET" } = {},
): Promise<VisitResponse> {
  const { port } = server.address() as AddressInfo;
  const sending = { path, method, headers: { host } };
  const { status, headers, text } = await send(`http://127.0.0.1:${port}`, sending);
  return { status, location: headers.location, body: text };
}

test("a link redirects to its url with 302, with its own status when it has one, and from memory alike", async () => {
  const plain = await make({});
  const permanent = await make({ redirectStatus: 308 });
  for (let visits = 0; visits < 2; visits++) {
    expect(await ask(`/${plain}`)).toMatchObject({ status: 302, location: url });
    expect(await ask(`/${permanent}`)).toMatchObject({ status: 308, location: url });
  }
});

test("a link in memory is answered at once: without a promise, and without a store", async () => {
  const key = await make({});
  await ask(`/${key}`);
  const before = loaded;
  for (let visits = 0; visits < 10; visits++) {
    expect(await ask(`/${key}`)).toMatchObject({ status: 302, location: url });
  }
  expect(loaded).toBe(before);
});

test("a link that has ended answers 410, or redirects to the address set by its owner", async () => {
  const ended = await make({ expiresAt: past });
  const instead = await make({ expiresAt: past, expiredUrl: "https://example.com/over" });
  expect(await ask(`/${ended}`)).toMatchObject({ status: 410, location: undefined });
  expect(await ask(`/${instead}`)).toMatchObject({
    status: 302,
    location: "https://example.com/over",
  });
});

test("a link that has not begun answers 404 and does not reveal its destination", async () => {
  const early = await make({ startsAt: future });
  const answer = await ask(`/${early}`);
  expect(answer.status).toBe(404);
  expect(answer.body).not.toContain("example.com/there");
});

test("a retired link answers 410 without redirecting to its fallback", async () => {
  const retired = await make({ expiredUrl: "https://example.com/fallback" });
  await query(sql`UPDATE link SET retired_at = now() WHERE key = ${retired}`);
  await redis().flushdb();
  expect(await ask(`/${retired}`)).toMatchObject({ status: 410, location: undefined });
});

test("a disabled link answers 410, a banned one 451", async () => {
  const [disabled, banned] = [await make({}), await make({})];
  await query(sql`UPDATE link SET disabled_at = now() WHERE key = ${disabled}`);
  await query(sql`UPDATE link SET banned_at = now() WHERE key = ${banned}`);
  await redis().flushdb();
  expect((await ask(`/${disabled}`)).status).toBe(410);
  expect((await ask(`/${banned}`)).status).toBe(451);
});

test("missing, foreign and malformed keys get the same answer", async () => {
  const key = await make({});
  const answers = await Promise.all([
    ask("/nobody"),
    ask("/zzzzzz"),
    ask(`/${key}`, { host: "elsewhere.example" }),
    ask("/%E0%A4%A"),
    ask(`/${"x".repeat(3_000)}`),
    ask("/%00"),
  ]);
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]?.status).toBe(404);
});

test("text that an app appended to a code does not hide the link", async () => {
  const key = await make({});
  for (const path of [`/${key}%EF%BC%8C%E7%82%B9%E5%87%BB`, `/${key}.`, `/${key})`]) {
    expect(await ask(path)).toMatchObject({ status: 302, location: url });
  }
});

test("a chosen name may have slashes, other scripts and emoji", async () => {
  await make({ key: "sale/冬季 🎉".replace(" ", "-") });
  const path = `/${["sale", "冬季-🎉"].map(encodeURIComponent).join("/")}`;
  expect(await ask(path)).toMatchObject({ status: 302, location: url });
});

test("HEAD is redirected without a body; other methods are refused", async () => {
  const key = await make({});
  expect(await ask(`/${key}`, { method: "HEAD" })).toMatchObject({ status: 302, body: "" });
  expect((await ask(`/${key}`, { method: "POST" })).status).toBe(405);
});

test("the mark of a scan is recorded and never forwarded", async () => {
  const key = await make({});
  await redis().del(redisKeys.clickStream(0));
  expect((await ask(`/${key}?qr=1`)).location).toBe(url);
  const [entry] = await redis().xrange(redisKeys.clickStream(0), "-", "+");
  const fields = entry?.[1] ?? [];
  const event = (fields[fields.indexOf("e") + 1] ?? "").split("\x1f");
  expect(event[4]).toBe("q");
});
