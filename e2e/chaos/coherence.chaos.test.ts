/**
 * A change that one process made is seen by all others within a second: of links, domains, bans and lists of
 * destinations, also while Redis is stopped, and when the process that made it is killed before it announces it.
 */
import { Agent, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { timeBound } from "../../test/bounds.ts";
import { openApi, send } from "../../test/http-client.ts";
import { TcpProxy } from "../../test/tcp-proxy.ts";
import { makeLink, openStage, type Process, pause, type Stage, visitOnce } from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const edits = isLong ? 1_000 : 25;
const kills = isLong ? 20 : 2;
const domains = isLong ? 100 : 3;
const bans = isLong ? 50 : 2;
/** Fewer: every call of the API waits for the Redis that does not answer. */
const bansAlone = isLong ? 10 : 1;
const listChanges = isLong ? 50 : 2;
const seenWithinMs = timeBound(1_000);
/** The worker may take this long to read a source for the first time on a busy machine. */
const polledWithinMs = 200_000;
const visitors = isLong ? 24 : 4;
const visitPauseMs = isLong ? 0 : 5;
const agent = new Agent({ keepAlive: true, maxSockets: visitors });
const adminToken = "the administrator of chaos tests, who bans";
const settings = { FUXI_ADMIN_TOKEN: adminToken, FUXI_FETCH: "loopback" };
/** The source of a list of destinations. */
const source = { status: 200, body: '["source.example"]' };
const sourceServer = createServer((_req, res) => res.writeHead(source.status).end(source.body));
let stage: Stage;
let api: Process;
let otherApi: Process;
let front: Process;
let otherFront: Process;
let link: { id: string; key: string };
let loading = true;
const load: Promise<void>[] = [];
let visitsOfHosts = 0;

beforeAll(async () => {
  stage = await openStage();
  [api, otherApi, front, otherFront] = await Promise.all([
    stage.start("workers/api.ts", settings),
    stage.start("workers/api.ts", settings),
    stage.start("workers/redirect.ts"),
    stage.start("workers/redirect.ts"),
  ]);
  link = await makeLink(api, { url: "https://example.com/0" });
  // Constant visits: the entry is hot, and refilled at once whenever it is dropped.
  for (let visitor = 0; visitor < visitors; visitor++) {
    load.push(
      (async () => {
        while (loading) {
          await visitOnce(`${front.url}/${link.key}`, agent);
          await pause(visitPauseMs);
        }
      })(),
    );
  }
});

afterAll(async () => {
  loading = false;
  await Promise.all(load);
  agent.destroy();
  sourceServer.closeAllConnections();
  sourceServer.close();
  await stage.close();
});

/** Whether it becomes true within the time that a change may take. */
async function isSeen(look: () => Promise<boolean>, withinMs = seenWithinMs): Promise<boolean> {
  const from = performance.now();
  do {
    if (await look()) return true;
    await pause(2);
  } while (performance.now() - from < withinMs);
  return false;
}

async function call(method: string, path: string, body?: object): Promise<void> {
  const answer = await api.call(method, path, body);
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
}

async function whileRedisIsStopped(work: () => Promise<void>): Promise<void> {
  process.kill(stage.redisPid(), "SIGSTOP");
  try {
    await work();
  } finally {
    process.kill(stage.redisPid(), "SIGCONT");
  }
}

function leadsTo(key: string, url: string | undefined): Promise<boolean> {
  return isSeen(async () => {
    const answer = await visitOnce(`${front.url}/${key}`);
    return typeof answer === "object" && answer.location === url;
  });
}

test(`an edit of a link, ${edits} of ${edits}`, async () => {
  let seen = 0;
  for (let edit = 1; edit <= edits; edit++) {
    const url = `https://example.com/${edit}`;
    expect((await api.call("PATCH", `/links/${link.id}`, { url })).status).toBe(200);
    if (await leadsTo(link.key, url)) seen += 1;
  }
  expect(seen).toBe(edits);
});

/**
 * Blocks the replay of new changes in the outbox: for other processes, which replay a change a quarter of a second
 * later, it looks like one whose writer is still working on it.
 */
async function holdSweeps(): Promise<void> {
  await stage.db.query(`
    CREATE FUNCTION hold_change() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN NEW.created_at = now() + interval '1 hour'; RETURN NEW; END $$`);
  await stage.db.query(`
    CREATE TRIGGER hold_change BEFORE INSERT ON cache_change
    FOR EACH ROW EXECUTE FUNCTION hold_change()`);
}

/** Releases the blocked changes. */
async function releaseSweeps(): Promise<void> {
  await stage.db.query("DROP FUNCTION hold_change() CASCADE");
  await stage.db.query("UPDATE cache_change SET created_at = clock_timestamp()");
}

test(
  "an edit whose editor is killed between its commit and the invalidation",
  async () => {
    for (let edit = 0; edit < kills; edit++) {
      const redis = new TcpProxy();
      const editor = await stage.start("workers/api.ts", {
        REDIS_URL: await redis.open(stage.redisUrl),
      });
      await holdSweeps();
      redis.stall();
      const url = `https://example.com/dead/${edit}`;
      const answer = editor.call("PATCH", `/links/${link.id}`, { url }).catch(() => undefined);
      const saved = () => stage.db.query("SELECT url FROM link WHERE key = $1", [link.key]);
      await expect.poll(async () => (await saved()).rows[0].url, { interval: 5 }).toBe(url);
      editor.kill("SIGKILL");
      const untold = await stage.db.query("SELECT entry FROM cache_change");
      expect(untold.rows.map(({ entry }) => entry)).toEqual([expect.stringContaining(link.key)]);
      await releaseSweeps();
      expect(await leadsTo(link.key, url)).toBe(true);
      await answer;
      await redis.close();
    }
  },
  kills * 120_000,
);

test("a new alias that was missing a moment ago, and one that is deleted", async () => {
  for (let round = 0; round < 3; round++) {
    const key = `alias-${round}`;
    const miss = await visitOnce(`${front.url}/${key}`);
    expect(miss).toMatchObject({ status: 404 });
    const created = await makeLink(api, { url: "https://example.com/new", key });
    expect(await leadsTo(key, "https://example.com/new")).toBe(true);
    await api.call("DELETE", `/links/${created.id}`);
    expect(await leadsTo(key, undefined)).toBe(true);
  }
});

/** A visit of a host by its Host header, from an address of its own, since misses of each are limited: its Location, or its status. */
async function visitHost(host: string, path: string): Promise<string> {
  visitsOfHosts += 1;
  const from = `127.1.${Math.floor(visitsOfHosts / 256) % 256}.${visitsOfHosts % 256}`;
  const { status, headers } = await send(front.url, { path, headers: { host }, from });
  return headers.location ?? String(status);
}

function hostAnswers(host: string, path: string, answer: string): Promise<boolean> {
  return isSeen(async () => (await visitHost(host, path)) === answer);
}

test(`a domain that is added, edited, renamed and deleted, ${domains} times`, async () => {
  for (let round = 0; round < domains; round++) {
    const slug = `d${round}.localhost`;
    const root = `https://example.com/root/${round}`;
    expect(await visitHost(slug, "/")).toBe("404");
    await call("POST", "/domains", { slug, placeholder: root });
    expect(await hostAnswers(slug, "/", root)).toBe(true);
    expect(await visitHost(slug, "/none")).toBe("404");
    const notFoundUrl = `https://example.com/none/${round}`;
    await call("PATCH", `/domains/${slug}`, { notFoundUrl });
    expect(await hostAnswers(slug, "/none", notFoundUrl)).toBe(true);
    await call("POST", "/links", { url: "https://example.com/to", domain: slug, key: "go" });
    expect(await hostAnswers(slug, "/go", "https://example.com/to")).toBe(true);
    const renamed = `r${round}.localhost`;
    await call("PATCH", `/domains/${slug}`, { slug: renamed });
    expect(await hostAnswers(slug, "/go", "404")).toBe(true);
    expect(await hostAnswers(renamed, "/go", "https://example.com/to")).toBe(true);
    await call("DELETE", `/domains/${renamed}?links=delete`);
    expect(await hostAnswers(renamed, "/go", "404")).toBe(true);
    expect(await hostAnswers(renamed, "/", "404")).toBe(true);
  }
});

test("a domain that is not verified answers nothing", async () => {
  await call("POST", "/domains", { slug: "claimed.example", placeholder: "https://example.com/" });
  await pause(1_000);
  expect(await visitHost("claimed.example", "/")).toBe("404");
});

async function ban(kind: string, subject: string): Promise<string> {
  const body = { kind, subject, reason: "phishing", note: "Copies a bank" };
  const answer = await openApi(api.url, adminToken)("POST", "/admin/bans", body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

async function lift(id: string): Promise<void> {
  const path = `/admin/bans/${id}/lift`;
  const answer = await openApi(api.url, adminToken)("POST", path, { note: "A mistake" });
  expect(answer.status).toBe(200);
}

async function bothAnswer(key: string, status: number): Promise<boolean> {
  const answers = [front, otherFront].map(({ url }) =>
    isSeen(async () => {
      const answer = await visitOnce(`${url}/${key}`);
      return typeof answer === "object" && answer.status === status;
    }),
  );
  return (await Promise.all(answers)).every(Boolean);
}

/** Bans and lifts of a host, and of its link, that both processes saw. */
async function countSeenBans(round: string, rounds: number): Promise<number> {
  let seen = 0;
  for (let at = 0; at < rounds; at++) {
    const host = `${round}-${at}.example`;
    const { id, key } = await makeLink(api, { url: `https://www.${host}/` });
    expect(await bothAnswer(key, 302)).toBe(true);
    for (const [kind, subject] of [
      ["host", host],
      ["link", id],
    ] as const) {
      const created = await ban(kind, subject);
      if (await bothAnswer(key, 451)) seen += 1;
      await lift(created);
      if (await bothAnswer(key, 302)) seen += 1;
    }
  }
  return seen;
}

test(`a ban of a host and of a link, and its end, ${bans} of ${bans}`, async () => {
  expect(await countSeenBans("linked", bans)).toBe(4 * bans);
});

test(`a ban while Redis is stopped, ${bansAlone} of ${bansAlone}`, () =>
  whileRedisIsStopped(async () => {
    expect(await countSeenBans("alone", bansAlone)).toBe(4 * bansAlone);
  }));

test("a process that starts later knows the bans before its first visit", async () => {
  const { key } = await makeLink(api, { url: "https://known.example/" });
  await ban("host", "known.example");
  const later = await stage.start("workers/redirect.ts");
  expect(await visitOnce(`${later.url}/${key}`)).toMatchObject({ status: 451 });
  later.kill("SIGKILL");
});

async function changeList(body: object): Promise<void> {
  await call("PATCH", "/destinations", { kind: "block", ...body });
}

/** A create of a link to this host through this process is accepted (200) or refused (422). */
function createAnswers(creator: Process, host: string, status: number, withinMs?: number) {
  const create = () => creator.call("POST", "/links", { url: `https://${host}/` });
  return isSeen(async () => (await create()).status === status, withinMs);
}

async function countSeenEntries(round: string): Promise<number> {
  let seen = 0;
  for (let at = 0; at < listChanges; at++) {
    const host = `${round}-${at}.example`;
    expect(await createAnswers(otherApi, host, 200)).toBe(true);
    await changeList({ add: [host] });
    if (!(await createAnswers(otherApi, host, 422))) continue;
    await changeList({ remove: [host] });
    if (await createAnswers(otherApi, host, 200)) seen += 1;
  }
  return seen;
}

test(`an entry of a list of destinations, ${listChanges} of ${listChanges}`, async () => {
  expect(await countSeenEntries("listed")).toBe(listChanges);
});

test(`an entry while Redis is stopped, ${listChanges} of ${listChanges}`, () =>
  whileRedisIsStopped(async () => {
    expect(await countSeenEntries("listed-alone")).toBe(listChanges);
  }));

test("a process that starts while the source of a list is down uses its last good content", async () => {
  await new Promise<void>((resolve) => sourceServer.listen(0, "127.0.0.1", resolve));
  const { port } = sourceServer.address() as AddressInfo;
  await changeList({ source: `http://127.0.0.1:${port}/list.json` });
  expect(await createAnswers(api, "source.example", 422)).toBe(true);
  source.status = 503;
  const polled = await api.call("POST", "/destinations/poll", { kind: "block" });
  expect(polled.body.problem).toMatchObject({ code: "source_status", params: { status: 503 } });
  const later = await stage.start("workers/api.ts", settings);
  expect((await later.call("POST", "/links", { url: "https://source.example/" })).status).toBe(422);
  Object.assign(source, { status: 200, body: "[]" });
  await stage.start("workers/index.ts", { ...settings, FUXI_DESTINATIONS_POLL_SECONDS: "1" });
  expect(await createAnswers(later, "source.example", 200, polledWithinMs)).toBe(true);
});
