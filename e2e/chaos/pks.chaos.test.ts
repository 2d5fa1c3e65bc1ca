import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { apiKey, openStage, type Process, pause, type Stage } from "./stage.ts";

const processes = 4;
/** How many links are made between two faults. */
const stretch = process.env["TEST_LONG"] ? 5_000 : 250;
const stretchMaxMs = 30_000;
let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
});

afterEach(() => stage.close());

/** Creates links until told to stop; keeps what was acknowledged. */
async function createWhile(api: Process, going: () => boolean, made: Map<string, string>) {
  let number = 0;
  while (going()) {
    number += 1;
    const url = `https://example.com/${new URL(api.url).port}/${number}`;
    const response = await fetch(`${api.url}/api/links`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ url }),
    }).catch(() => undefined);
    if (response?.status !== 200) {
      await pause(20);
      continue;
    }
    const link = await response.json();
    // The same code twice would overwrite an acknowledged link: that is the duplicate we look for.
    if (made.has(link.key)) throw new Error(`The code ${link.key} was given out twice`);
    made.set(link.key, url);
  }
}

/** Waits until this many more links were acknowledged, however slow the machine is. */
async function moreMade(made: Map<string, string>, more = stretch): Promise<void> {
  const goal = made.size + more;
  const deadline = Date.now() + stretchMaxMs;
  while (made.size < goal && Date.now() < deadline) await pause(10);
  expect(made.size).toBeGreaterThanOrEqual(goal);
}

async function expectAllSaved(made: Map<string, string>): Promise<void> {
  const { rows } = await stage.db.query(
    "SELECT key, url FROM link WHERE workspace_pk IS NOT NULL AND key = ANY($1::text[])",
    [[...made.keys()]],
  );
  const saved = new Map(rows.map((row) => [row.key, row.url]));
  expect(saved.size).toBe(made.size);
  expect(rows).toHaveLength(made.size);
  for (const [key, url] of made) expect(saved.get(key)).toBe(url);
}

test("FLUSHALL and an append-only file rolled back by hand give no code twice and lose no link", async () => {
  const apis = await Promise.all(
    Array.from({ length: processes }, () => stage.start("workers/api.ts")),
  );
  const made = new Map<string, string>();
  let going = true;
  const creators = apis.flatMap((api) =>
    Array.from({ length: 8 }, () => createWhile(api, () => going, made)),
  );
  const redis = new Redis(stage.redisUrl);
  redis.on("error", () => undefined);
  await moreMade(made);
  await redis.flushall();
  await moreMade(made);
  const files = join(stage.redisFolder, "appendonlydir");
  const older = `${files}.older`;
  cpSync(files, older, { recursive: true });
  await moreMade(made);
  process.kill(stage.redisPid(), "SIGKILL");
  rmSync(files, { recursive: true });
  cpSync(older, files, { recursive: true });
  await moreMade(made);
  await vi.waitFor(() => redis.flushall(), 20_000);
  await moreMade(made);
  going = false;
  await Promise.all(creators);
  redis.disconnect();
  await expectAllSaved(made);
});

test("killed creators lose no link that they acknowledged, and share no pk with their successors", async () => {
  const made = new Map<string, string>();
  for (let round = 0; round < 3; round++) {
    const apis = await Promise.all([stage.start("workers/api.ts"), stage.start("workers/api.ts")]);
    let going = true;
    const creators = apis.flatMap((api) =>
      Array.from({ length: 8 }, () => createWhile(api, () => going, made)),
    );
    await moreMade(made);
    for (const api of apis) api.kill("SIGKILL");
    going = false;
    await Promise.all(creators);
  }
  await expectAllSaved(made);
});
