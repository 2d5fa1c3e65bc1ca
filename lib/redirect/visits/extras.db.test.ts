import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { FairQueue } from "#lib/basics/bounds";
import { createLinks, openLinks } from "#lib/links/creating";
import { editLink } from "#lib/links/editing";
import { query, sql, transaction } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { parseEvents } from "#lib/redirect/clicks";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { send } from "../../../test/http-client.ts";
import { makeShared } from "../../../test/redirect-server.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { takeVisit } from "./allowance.ts";
import { openRedirect, visit, visitCached } from "./index.ts";
import { isGrant, makeGrant } from "./password.ts";

openTestStores({ FUXI_TRUSTED_PROXIES: "127.0.0.1" });

const url = "https://example.com/secret-place?a=1#h";
const browser =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1";
let server: Server;
let scope: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  await openRedirect();
  scope = await makeTestScope("extras");
  server = createServer((req, res) => {
    if (!visitCached(req, res)) void visit(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(() => void vi.restoreAllMocks());

afterAll(() => new Promise((resolve) => server.close(resolve)));

async function make(body: object): Promise<{ key: string; id: string }> {
  const [outcome] = await createLinks(scope, [{ url, ...body }]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  return outcome.link;
}

interface ExtrasAnswer {
  status: number;
  location: string | undefined;
  cookie: string | undefined;
  /** Everything received: head and body */
  all: string;
}

async function ask(
  path: string,
  {
    method = "GET",
    headers = {},
    form,
  }: { method?: string; headers?: Record<string, string>; form?: string } = {},
): Promise<ExtrasAnswer> {
  const { port } = server.address() as AddressInfo;
  const answer = await send(`http://127.0.0.1:${port}`, {
    path,
    method,
    headers: { host: "localhost", "user-agent": browser, ...headers },
    ...(form === undefined ? {} : { body: form }),
  });
  return {
    status: answer.status,
    location: answer.headers.location,
    cookie: answer.headers["set-cookie"]?.[0],
    all: `${answer.head}\n${answer.text}`,
  };
}

/** Submits the password; resolves with the response. */
function give(path: string, password: string, from = "203.0.113.1"): Promise<ExtrasAnswer> {
  const form = new URLSearchParams({ password }).toString();
  return ask(path, { method: "POST", form, headers: { "x-forwarded-for": from } });
}

function cookieOf(answer: ExtrasAnswer): string {
  return answer.cookie?.split(";")[0] ?? "";
}

test("a link with a password shows its destination only after the password", async () => {
  const { key } = await make({ password: "open sesame" });
  const attempts = [
    await ask(`/${key}`),
    await ask(`/${key}`),
    await ask(`/${key}`, { method: "HEAD" }),
    await ask(`/${key}`, { headers: { "sec-purpose": "prefetch" } }),
    await ask(`/${key}`, { headers: { "user-agent": "Twitterbot/1.0" } }),
    await ask(`/${key}`, { headers: { cookie: "fuxi_grant=zzzzzzz.AAAA" } }),
    await ask(`/${key}.`),
  ];
  await redis().flushdb();
  attempts.push(await ask(`/${key}?x=1`));
  for (const { status, all } of attempts) {
    expect(status).toBe(401);
    expect(all).not.toMatch(/secret-place|scrypt|location/i);
  }
  expect((await give(`/${key}`, "Open sesame")).status).toBe(403);
  expect((await give(`/${key}`, "")).status).toBe(403);
});

test("the right password redirects to the same address, which then redirects on; not for HEAD and prefetch", async () => {
  const { key } = await make({ password: "grün +&= tür" });
  const given = await give(`/${key}?from=mail`, "grün +&= tür");
  expect(given).toMatchObject({ status: 303, location: `/${key}?from=mail` });
  expect(given.cookie).toMatch(new RegExp(`; Path=/${key}; Max-Age=3600; HttpOnly; SameSite=Lax$`));
  expect(given.all).not.toContain("secret-place");
  const headers = { cookie: `other=1; ${cookieOf(given)}` };
  expect(await ask(`/${key}`, { headers })).toMatchObject({ status: 302, location: url });
  expect((await ask(`/${key}`, { headers, method: "HEAD" })).status).toBe(401);
  const ahead = { ...headers, "sec-purpose": "prefetch" };
  expect((await ask(`/${key}`, { headers: ahead })).location).toBeUndefined();
});

test("a grant is for one link, and a new password ends it", async () => {
  const [one, other] = [await make({ password: "same" }), await make({ password: "same" })];
  const headers = { cookie: cookieOf(await give(`/${one.key}`, "same")) };
  expect((await ask(`/${one.key}`, { headers })).status).toBe(302);
  expect((await ask(`/${other.key}`, { headers })).status).toBe(401);
  await editLink(scope, one.id, { password: "changed" });
  expect((await ask(`/${one.key}`, { headers })).status).toBe(401);
});

test("a grant ends after an hour, and no character of it may be changed", () => {
  const grant = makeGrant(7, "hash", 0);
  expect(isGrant(grant, 7, "hash", 3_599_999)).toBe(true);
  expect(isGrant(grant, 7, "hash", 3_600_000)).toBe(false);
  expect(isGrant(grant, 8, "hash", 0)).toBe(false);
  expect(isGrant(grant, 7, "hush", 0)).toBe(false);
  for (let at = 0; at < grant.length - 1; at++) {
    const other = grant[at] === "b" ? "c" : "b";
    expect(isGrant(grant.slice(0, at) + other + grant.slice(at + 1), 7, "hash", 0)).toBe(false);
  }
});

test("after ten wrong passwords an address must wait, with the right one too; another address need not", async () => {
  const { key } = await make({ password: "right" });
  for (let wrong = 0; wrong < 10; wrong++) {
    expect((await give(`/${key}`, `wrong ${wrong}`, "203.0.113.9")).status).toBe(403);
  }
  const limited = await give(`/${key}`, "right", "203.0.113.9");
  expect(limited.status).toBe(429);
  expect(limited.cookie).toBeUndefined();
  expect((await give(`/${key}`, "right", "203.0.113.10")).status).toBe(303);
});

/** The threads that check passwords get their work one by one, or all of it. */
function holdChecks() {
  const held: (() => void)[] = [];
  const post = Worker.prototype.postMessage;
  const holding = vi.spyOn(Worker.prototype, "postMessage");
  holding.mockImplementation(function hold(this: Worker, message) {
    held.push(() => post.call(this, message));
  });
  const doAll = () => {
    holding.mockRestore();
    for (const go of held.splice(0)) go();
  };
  onTestFinished(doAll);
  const doNext = async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.shift()?.();
  };
  return { doNext, doAll };
}

/** The answers to wrong passwords of as many addresses, in the order of their arrival. */
function guess(path: string, count: number) {
  const arrived: ExtrasAnswer[] = [];
  const all = Array.from({ length: count }, async (_, visitor) => {
    arrived.push(await give(path, "wrong", `203.0.113.${visitor}`));
  });
  return { arrived, all: Promise.all(all) };
}

test("of many passwords at once those that the server cannot check get Retry-After", async () => {
  const { key } = await make({ password: "right" });
  const checks = holdChecks();
  const { arrived, all } = guess(`/${key}`, 40);
  // Two are being checked, and sixteen wait.
  await expect.poll(() => arrived.length).toBe(22);
  for (const answer of arrived) {
    expect(answer).toMatchObject({ status: 503, all: expect.stringMatching(/Retry-After\n3/) });
  }
  checks.doAll();
  await all;
  expect(arrived.slice(22).map(({ status }) => status)).toEqual(Array(18).fill(403));
  expect((await give(`/${key}`, "right")).status).toBe(303);
});

test("a crowd at the links of one workspace delays no password of another", async () => {
  const { key } = await make({ password: "right" });
  const other = await makeTestScope("quiet");
  const [quiet] = await createLinks(other, [{ url, password: "right" }]);
  if (!quiet?.ok) throw new Error(quiet?.message);
  const checks = holdChecks();
  const queued = vi.spyOn(FairQueue.prototype, "run");
  const { arrived, all } = guess(`/${key}`, 19);
  // The others have been admitted.
  await expect.poll(() => arrived.map(({ status }) => status)).toEqual([503]);
  let quietAnswer: ExtrasAnswer | undefined;
  const given = give(`/${quiet.link.key}`, "right").then((answer) => {
    quietAnswer = answer;
  });
  await expect.poll(() => queued.mock.calls.length).toBe(19);
  // The two that are being checked, and one more of the crowd.
  for (let done = 0; done < 4; done++) await checks.doNext();
  await expect.poll(() => quietAnswer?.status).toBe(303);
  expect(arrived.length).toBeLessThanOrEqual(1 + 3);
  checks.doAll();
  await Promise.all([all, given]);
});

test("a form that is too long is refused, and POST is for links with a password only", async () => {
  const { key } = await make({ password: "right" });
  expect((await give(`/${key}`, "x".repeat(5_000))).status).toBe(413);
  const plain = await make({});
  expect((await give(`/${plain.key}`, "right")).status).toBe(405);
});

test("an entry of an older version in Redis without extras is looked up again", async () => {
  const { key, entry, line } = await makeShared(() => make({ password: "right" }));
  await redis().set(entry, line.slice(0, line.lastIndexOf("\x1f")));
  expect((await ask(`/${key}`)).status).toBe(401);
});

test("200 visitors at once on a limit of 100 through two servers redirect exactly 100 of them", async () => {
  const { key } = await make({ maxClicks: 100 });
  const [row] = await query<{ pk: number }>(sql`SELECT pk FROM link WHERE key = ${key}`);
  const pk = row?.pk ?? 0;
  // Half of them count their visits without the lane of this process, as another process would.
  const others = await import("./allowance.ts?other" as string);
  expect(others.takeVisit).not.toBe(takeVisit);
  const [here, there] = await Promise.all([
    Promise.all(Array.from({ length: 100 }, () => ask(`/${key}`))),
    Promise.all(Array.from({ length: 100 }, () => others.takeVisit(pk))),
  ]);
  const redirected = here.filter(({ status }) => status === 302).length;
  expect(redirected + there.filter(Boolean).length).toBe(100);
  expect(here.filter(({ status }) => status === 410).length).toBe(100 - redirected);
  expect((await ask(`/${key}`)).status).toBe(410);
});

test("HEAD, prefetch and bots use up no visit and get no destination", async () => {
  const { key } = await make({ maxClicks: 1, expiredUrl: "https://example.com/over" });
  const attempts = [
    await ask(`/${key}`, { method: "HEAD" }),
    await ask(`/${key}`, { headers: { "sec-purpose": "prefetch" } }),
    await ask(`/${key}`, { headers: { "user-agent": "Twitterbot/1.0" } }),
    await ask(`/${key}`, { headers: { "user-agent": "" } }),
  ];
  for (const { all } of attempts) expect(all).not.toMatch(/secret-place|location/i);
  expect(attempts.map(({ status }) => status)).toEqual([200, 503, 200, 200]);
  expect((await ask(`/${key}`)).location).toBe(url);
  expect((await ask(`/${key}`)).location).toBe("https://example.com/over");
});

test("while Postgres does not answer, a link with a limit redirects no visitor and sends Retry-After", async () => {
  const { key } = await make({ maxClicks: 1 });
  await transaction(async (tx) => {
    await query(sql`LOCK TABLE link_allowance IN ACCESS EXCLUSIVE MODE`, tx);
    const answer = await ask(`/${key}`);
    expect(answer).toMatchObject({ status: 503, location: undefined });
    expect(answer.all).toMatch(/Retry-After\n1/);
    expect(answer.all).not.toContain("secret-place");
  });
});

test("a raised limit counts from the previous number of visits", async () => {
  const { key, id } = await make({ maxClicks: 2 });
  const visits = async () => [(await ask(`/${key}`)).status, (await ask(`/${key}`)).status];
  expect([...(await visits()), (await ask(`/${key}`)).status]).toEqual([302, 302, 410]);
  await editLink(scope, id, { maxClicks: 3 });
  expect(await visits()).toEqual([302, 410]);
});

test("on a case-insensitive domain every spelling leads to the link", async () => {
  const { key } = await make({ key: "straße/élan" });
  const upper = `/${encodeURIComponent("STRAßE")}/${encodeURIComponent("E\u0301LAN")}`;
  expect((await ask(upper)).status).toBe(404);
  await query(sql`UPDATE domain SET case_insensitive = true, revision = nextval('revision')`);
  const { publishChanges } = await import("#lib/platform/cache-sync");
  await publishChanges([{ entry: "d:localhost", revision: 1e9 }]);
  for (let visits = 0; visits < 2; visits++) {
    expect((await ask(upper)).location).toBe(url);
    expect((await ask(`/${encodeURIComponent(key)}`)).location).toBe(url);
  }
  await query(sql`UPDATE domain SET case_insensitive = false, revision = nextval('revision')`);
  await publishChanges([{ entry: "d:localhost", revision: 1e9 + 1 }]);
});

test("rules take precedence over systems, systems over countries, countries over a test, and the url is last", async () => {
  const to = (name: string) => `https://example.com/${name}`;
  const body = {
    rules: [{ language: ["fr"], url: to("rule") }],
    ios: to("ios"),
    geo: { DE: to("geo") },
    testVariants: [
      { url: to("test"), percentage: 50 },
      { url: to("test"), percentage: 50 },
    ],
  };
  const { key } = await make(body);
  const from = (address: string, agent: string, language = "en") =>
    ask(`/${key}`, {
      headers: { "x-forwarded-for": address, "user-agent": agent, "accept-language": language },
    });
  expect((await from("91.12.3.4", iphone, "fr-CA")).location).toBe(to("rule"));
  expect((await from("91.12.3.4", iphone)).location).toBe(to("ios"));
  expect((await from("91.12.3.4", browser)).location).toBe(to("geo"));
  expect((await from("8.8.8.8", browser)).location).toBe(to("test"));
  const over = { testStartedAt: "2020-01-01T00:00:00Z", testCompletedAt: "2020-01-02T00:00:00Z" };
  const ended = await make({ testVariants: body.testVariants, ...over });
  expect((await ask(`/${ended.key}`)).location).toBe(url);
});

test("parameters and the rest of the path are passed on, unless a longer key is a link", async () => {
  await make({ key: "shop", forwardPath: true, forwardQuery: true });
  await make({ key: "shop/own", url: "https://example.com/own" });
  await make({ key: "shy" });
  expect((await ask("/shop/a/b?a=2&c=3&qr=1")).location).toBe(
    "https://example.com/secret-place/a/b?a=2&c=3#h",
  );
  expect((await ask("/shop")).location).toBe(url);
  expect((await ask("/shop/own")).location).toBe("https://example.com/own");
  for (const path of [
    "/shop/..",
    "/shop/%2e%2e/x",
    "/shop//evil.example",
    "/shop/%0d%0a",
    "/shy/a",
  ]) {
    expect((await ask(path)).status).toBe(404);
  }
});

test("a click has the chosen destination, without what its visit added; the link's own is omitted", async () => {
  const rules = [{ os: ["iOS"], url: "https://example.com/苹果" }];
  const { key } = await make({ rules, forwardQuery: true });
  const stream = redisKeys.clickStream(0);
  await redis().del(stream);
  await ask(`/${key}?a=2`, { headers: { "user-agent": iphone } });
  await ask(`/${key}?a=3`);
  const entries = await redis().xrangeBuffer(stream, "-", "+");
  const events = entries.flatMap(([, fields]) =>
    parseEvents((fields.at(-1) ?? Buffer.alloc(0)).toString("latin1"), []),
  );
  expect(events.map((event) => [event.query, event.url])).toEqual([
    ["a=2", "https://example.com/苹果"],
    ["a=3", ""],
  ]);
});
