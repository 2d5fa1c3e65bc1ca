import { Agent } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { timeBound } from "../../test/bounds.ts";
import { TcpProxy } from "../../test/tcp-proxy.ts";
import { makeLink, openStage, type Process, pause, type Stage, visitOnce } from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const edits = isLong ? 1_000 : 25;
const kills = isLong ? 20 : 2;
const seenWithinMs = timeBound(1_000);
const visitors = isLong ? 24 : 4;
const visitPauseMs = isLong ? 0 : 5;
const agent = new Agent({ keepAlive: true, maxSockets: visitors });
let stage: Stage;
let api: Process;
let front: Process;
let link: { id: string; key: string };
let loading = true;
const load: Promise<void>[] = [];

beforeAll(async () => {
  stage = await openStage();
  [api, front] = await Promise.all([
    stage.start("workers/api.ts"),
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
  await stage.close();
});

/** Milliseconds until a visit is redirected there; undefined when it takes too long. */
async function seenAfter(key: string, url: string | undefined): Promise<number | undefined> {
  const from = performance.now();
  while (performance.now() - from < seenWithinMs) {
    const answer = await visitOnce(`${front.url}/${key}`);
    if (typeof answer === "object" && answer.location === url) return performance.now() - from;
    await pause(2);
  }
  return undefined;
}

test(`an edit through one process is seen by another within a second, ${edits} of ${edits}`, async () => {
  let seen = 0;
  for (let edit = 1; edit <= edits; edit++) {
    const url = `https://example.com/${edit}`;
    expect((await api.call("PATCH", `/links/${link.id}`, { url })).status).toBe(200);
    if ((await seenAfter(link.key, url)) !== undefined) seen += 1;
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
  "an edit whose editor is killed between its commit and the invalidation is seen within a second",
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
      expect(await seenAfter(link.key, url)).toBeDefined();
      await answer;
      await redis.close();
    }
  },
  kills * 120_000,
);

test("a new alias is seen within a second although it was missing a moment ago; a deleted one is gone", async () => {
  for (let round = 0; round < 3; round++) {
    const key = `alias-${round}`;
    const miss = await visitOnce(`${front.url}/${key}`);
    expect(miss).toMatchObject({ status: 404 });
    const created = await makeLink(api, { url: "https://example.com/new", key });
    expect(await seenAfter(key, "https://example.com/new")).toBeDefined();
    await api.call("DELETE", `/links/${created.id}`);
    expect(await seenAfter(key, undefined)).toBeDefined();
  }
});
