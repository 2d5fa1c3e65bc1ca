import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStage, type Process, type Stage } from "./stage.ts";

const links = 20_000;
const linksPerCall = 100;
const kills = 3;
const endMs = 900_000;

let stage: Stage;
let api: Process;

beforeAll(async () => {
  stage = await openStage();
  api = await stage.start("workers/api.ts");
});

afterAll(() => stage.close());

async function countTexts(): Promise<number> {
  const { rows } = await stage.db.query("SELECT count(*)::int AS texts FROM link_search");
  return rows[0].texts;
}

async function countSettled(): Promise<number> {
  const { rows } = await stage.db.query(
    "SELECT coalesce(sum(links), 0)::int AS links FROM search_progress",
  );
  return rows[0].links;
}

async function createThem(): Promise<void> {
  for (let first = 0; first < links; first += linksPerCall) {
    const body = Array.from({ length: linksPerCall }, (_, at) => ({
      url: `https://shop.example.com/products/${first + at}-autumn`,
    }));
    expect((await api.call("POST", "/links/bulk", body)).status).toBe(200);
  }
}

async function search(part: string): Promise<unknown[]> {
  const { status, body } = await api.call("GET", `/links?search=${part}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown[];
}

test("a worker that is killed repeatedly adds the text of each link of an API key, and counts it once", {
  timeout: endMs + 60_000,
}, async () => {
  let worker = await stage.start("workers/index.ts");
  // The first run of an installation only makes a mark.
  await expect
    .poll(async () => (await stage.db.query("SELECT FROM search_horizon")).rowCount, {
      timeout: 60_000,
    })
    .toBe(1);
  await createThem();
  const killedAt: number[] = [];
  const end = Date.now() + endMs;
  let texts = await countTexts();
  while (Date.now() < end && (texts < links || (await countSettled()) < links)) {
    const wanted = ((killedAt.length + 0.5) * links) / kills;
    if (killedAt.length < kills && texts >= wanted) {
      worker.kill("SIGKILL");
      killedAt.push(texts);
      worker = await stage.start("workers/index.ts");
    }
    await setTimeout(20);
    texts = await countTexts();
  }
  expect(killedAt).toHaveLength(kills);
  expect([texts, await countSettled()]).toEqual([links, links]);
  for (const number of [0, 4_711, links - 1]) {
    expect(await search(`ducts/${number}-aut`)).toHaveLength(1);
  }
});
