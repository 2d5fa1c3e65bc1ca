import { afterEach, beforeEach, expect, test } from "vitest";
import {
  makeLink,
  openStage,
  type Process,
  pause,
  type Stage,
  sendVisitors,
  settledClicks,
} from "./stage.ts";

const visits = process.env["TEST_LONG"] ? 100_000 : 5_000;
let stage: Stage;
let key: string;

beforeEach(async () => {
  stage = await openStage();
  const api = await stage.start("workers/api.ts");
  key = (await makeLink(api, { url: "https://example.com/target" })).key;
  api.kill("SIGTERM");
});

afterEach(() => stage.close());

/** Starts an entry again each time it dies. `current` is the one that lives now. */
async function keepAlive(entry: string): Promise<{ current: Process; stop: () => void }> {
  const kept = { current: await stage.start(entry), stop: () => {} };
  let stopped = false;
  const watch = () =>
    kept.current.child.once("exit", async () => {
      if (stopped) return;
      kept.current = await stage.start(entry);
      watch();
    });
  watch();
  kept.stop = () => {
    stopped = true;
  };
  return kept;
}

test("answered ≤ counted ≤ answered + in flight when front and worker are killed", async () => {
  const front = await keepAlive("workers/redirect.ts");
  const worker = await keepAlive("workers/index.ts");
  const visitors = sendVisitors(() => `${front.current.url}/${key}`, visits);
  for (let kill = 0; kill < 3; kill++) {
    await pause(700);
    front.current.kill("SIGKILL");
    await pause(700);
    worker.current.kill("SIGKILL");
  }
  const tally = await visitors;
  const counted = await settledClicks(stage, key, tally.answered);
  expect(tally.lost).toBeGreaterThan(0);
  expect(counted).toBeGreaterThanOrEqual(tally.answered);
  expect(counted).toBeLessThanOrEqual(tally.answered + tally.lost);
  front.stop();
  worker.stop();
});

test("answered = counted when only the worker is killed", async () => {
  const front = await stage.start("workers/redirect.ts");
  const worker = await keepAlive("workers/index.ts");
  const visitors = sendVisitors(() => `${front.url}/${key}`, visits);
  for (let kill = 0; kill < 3; kill++) {
    await pause(800);
    worker.current.kill("SIGKILL");
  }
  const tally = await visitors;
  expect(tally).toEqual({ answered: tally.answered, lost: 0, other: 0 });
  expect(await settledClicks(stage, key, tally.answered)).toBe(tally.answered);
  worker.stop();
});

test("answered = counted when Redis is killed, and when it hangs", async () => {
  const front = await stage.start("workers/redirect.ts");
  const worker = await keepAlive("workers/index.ts");
  const visitors = sendVisitors(() => `${front.url}/${key}`, visits);
  await pause(700);
  process.kill(stage.redisPid(), "SIGKILL");
  await pause(2_000);
  process.kill(stage.redisPid(), "SIGSTOP");
  await pause(1_500);
  process.kill(stage.redisPid(), "SIGCONT");
  await pause(500);
  process.kill(stage.redisPid(), "SIGKILL");
  const tally = await visitors;
  expect(tally).toEqual({ answered: tally.answered, lost: 0, other: 0 });
  expect(await settledClicks(stage, key, tally.answered)).toBe(tally.answered);
  worker.stop();
});

test("clicks on disk of a front that was killed while Redis was away are counted by the next", async () => {
  const front = await keepAlive("workers/redirect.ts");
  const worker = await keepAlive("workers/index.ts");
  const before = await sendVisitors(() => `${front.current.url}/${key}`, 50);
  process.kill(stage.redisPid(), "SIGSTOP");
  const tally = await sendVisitors(() => `${front.current.url}/${key}`, 200);
  front.current.kill("SIGKILL");
  process.kill(stage.redisPid(), "SIGCONT");
  expect(tally.answered).toBeGreaterThanOrEqual(200);
  const answered = before.answered + tally.answered;
  const counted = await settledClicks(stage, key, answered);
  expect(counted).toBeGreaterThanOrEqual(answered);
  expect(counted).toBeLessThanOrEqual(answered + tally.lost);
  front.stop();
  worker.stop();
});
