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

test("an edit whose editor died between its commit and the invalidation is seen within a second", async () => {
  for (let edit = 0; edit < 10; edit++) {
    const url = `https://example.com/dead/${edit}`;
    // What such an editor leaves behind: the committed row with its outbox row, and nobody told.
    await stage.db.query(
      `WITH changed AS (
         UPDATE link SET url = $1, revision = nextval('revision') WHERE key = $2
         RETURNING revision, domain_pk, key
       )
       INSERT INTO cache_change (revision, entry)
       SELECT revision, 'l:' || domain_pk || ':' || key FROM changed`,
      [url, link.key],
    );
    expect(await seenAfter(link.key, url)).toBeDefined();
  }
});

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
