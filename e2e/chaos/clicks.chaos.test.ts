import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  makeLink,
  openStage,
  type Process,
  pause,
  type Stage,
  sendVisitors,
  sendVisits,
  settledClicks,
} from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const visits = isLong ? 100_000 : 1_200;
const kills = isLong ? 3 : 1;
let stage: Stage;
/** A link per test, whose clicks are separate. */
const keys: string[] = [];
let key: string;

beforeAll(async () => {
  stage = await openStage();
  const api = await stage.start("workers/api.ts");
  for (let link = 0; link < 3; link++) {
    keys.push((await makeLink(api, { url: "https://example.com/target" })).key);
  }
  await stage.clear();
});

beforeEach(() => {
  key = keys.pop() ?? "";
});

afterEach(() => stage.clear());

afterAll(() => stage.close());

/** Restarts an entry each time it dies. `current` is the running one. */
async function keepAlive(entry: string): Promise<{ current: Process }> {
  const kept = { current: await stage.start(entry) };
  const watch = () =>
    kept.current.child.once("exit", () => {
      if (stage.closing) return;
      stage.start(entry).then(
        (next) => {
          kept.current = next;
          watch();
        },
        () => undefined, // the stage is being closed
      );
    });
  watch();
  return kept;
}

test("answered ≤ counted ≤ answered + in flight when front and worker are killed", async () => {
  const front = await keepAlive("workers/redirect.ts");
  const worker = await keepAlive("workers/index.ts");
  const visitors = sendVisitors(() => `${front.current.url}/${key}`);
  for (let kill = 1; kill <= kills; kill++) {
    await visitors.answered((visits / (kills + 1)) * kill);
    front.current.kill("SIGKILL");
    worker.current.kill("SIGKILL");
    // The next quarter starts with the next front.
    await visitors.answered(visitors.tally.answered + 1);
  }
  await visitors.answered(visits);
  const counts = await visitors.stop();
  const counted = await settledClicks(stage, key, counts.answered);
  expect(counts.lost).toBeGreaterThan(0);
  expect(counted).toBeGreaterThanOrEqual(counts.answered);
  expect(counted).toBeLessThanOrEqual(counts.answered + counts.lost);
});

test("answered = counted when only the worker is killed, and when Redis is killed and hangs", async () => {
  const front = await stage.start("workers/redirect.ts");
  const worker = await keepAlive("workers/index.ts");
  const visitors = sendVisitors(() => `${front.url}/${key}`);
  for (let kill = 1; kill <= kills; kill++) {
    await visitors.answered((visits / 2 / (kills + 1)) * kill);
    worker.current.kill("SIGKILL");
  }
  await visitors.answered(visits / 2);
  process.kill(stage.redisPid(), "SIGKILL");
  await pause(2_000);
  process.kill(stage.redisPid(), "SIGSTOP");
  await pause(1_500);
  process.kill(stage.redisPid(), "SIGCONT");
  await pause(500);
  process.kill(stage.redisPid(), "SIGKILL");
  await visitors.answered(visits);
  const counts = await visitors.stop();
  expect(counts).toEqual({ answered: counts.answered, lost: 0, other: 0 });
  expect(await settledClicks(stage, key, counts.answered)).toBe(counts.answered);
});

test("clicks on the disk of a front that was killed while Redis was unavailable are counted by the next", async () => {
  const front = await keepAlive("workers/redirect.ts");
  await keepAlive("workers/index.ts");
  const before = await sendVisits(() => `${front.current.url}/${key}`, 50);
  process.kill(stage.redisPid(), "SIGSTOP");
  const counts = await sendVisits(() => `${front.current.url}/${key}`, 200);
  front.current.kill("SIGKILL");
  process.kill(stage.redisPid(), "SIGCONT");
  const answered = before.answered + counts.answered;
  const counted = await settledClicks(stage, key, answered);
  expect(counted).toBeGreaterThanOrEqual(answered);
  expect(counted).toBeLessThanOrEqual(answered + counts.lost);
});
