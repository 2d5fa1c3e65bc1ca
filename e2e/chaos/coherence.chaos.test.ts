import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  apiKey,
  makeLink,
  openStage,
  type Process,
  pause,
  type Stage,
  visitOnce,
} from "./stage.ts";

const edits = process.env["TEST_LONG"] ? 1_000 : 200;
const kills = process.env["TEST_LONG"] ? 20 : 2;
const seenWithinMs = 1_000;
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
  // Visitors all the while: the entry is hot, and refilled at once whenever it is dropped.
  for (let visitor = 0; visitor < 24; visitor++) {
    load.push(
      (async () => {
        while (loading) await visitOnce(`${front.url}/${link.key}`);
      })(),
    );
  }
});

afterAll(async () => {
  loading = false;
  await Promise.all(load);
  await stage.close();
});

/** Milliseconds until a visit leads there; undefined when it takes longer than it may. */
async function seenAfter(key: string, url: string | undefined): Promise<number | undefined> {
  const from = performance.now();
  while (performance.now() - from < seenWithinMs) {
    const answer = await visitOnce(`${front.url}/${key}`);
    if (typeof answer === "object" && answer.location === url) return performance.now() - from;
    await pause(2);
  }
  return undefined;
}

function call(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${api.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

test(`an edit through one process is seen by another within a second, ${edits} of ${edits}`, async () => {
  let seen = 0;
  for (let edit = 1; edit <= edits; edit++) {
    const url = `https://example.com/${edit}`;
    expect((await call("PATCH", `/links/${link.id}`, { url })).status).toBe(200);
    if ((await seenAfter(link.key, url)) !== undefined) seen += 1;
  }
  expect(seen).toBe(edits);
});

/** A way to Redis that can be held up: what is sent goes on, and is neither refused nor delivered. */
async function openWayToRedis(): Promise<{ url: string; hold: () => void; close: () => void }> {
  const redis = new URL(stage.redisUrl);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(redis.port), redis.hostname);
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    client.pipe(upstream).pipe(client);
    sockets.push(client, upstream);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  redis.port = String(typeof address === "object" ? address?.port : 0);
  return {
    url: redis.href,
    hold: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test(
  "an edit whose editor is killed between its commit and the invalidation is seen within a second",
  async () => {
    for (let edit = 0; edit < kills; edit++) {
      const way = await openWayToRedis();
      const editor = await stage.start("workers/api.ts", { REDIS_URL: way.url });
      way.hold();
      const url = `https://example.com/dead/${edit}`;
      const answer = editThrough(editor, url).catch(() => undefined);
      for (;;) {
        const { rows } = await stage.db.query("SELECT url FROM link WHERE key = $1", [link.key]);
        if (rows[0].url === url) break;
        await pause(1);
      }
      editor.kill("SIGKILL");
      const untold = await stage.db.query("SELECT entry FROM cache_change");
      expect(untold.rows.map(({ entry }) => entry)).toEqual([expect.stringContaining(link.key)]);
      expect(await seenAfter(link.key, url)).toBeDefined();
      await answer;
      way.close();
    }
  },
  kills * 20_000,
);

function editThrough(editor: Process, url: string): Promise<Response> {
  return fetch(`${editor.url}/api/links/${link.id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
}

test("a new alias is seen within a second although it was missing a moment ago; a deleted one is gone", async () => {
  for (let round = 0; round < 10; round++) {
    const key = `alias-${round}`;
    const miss = await visitOnce(`${front.url}/${key}`);
    expect(miss).toMatchObject({ status: 404 });
    const made = await makeLink(api, { url: "https://example.com/new", key });
    expect(await seenAfter(key, "https://example.com/new")).toBeDefined();
    await call("DELETE", `/links/${made.id}`);
    expect(await seenAfter(key, undefined)).toBeDefined();
  }
});
