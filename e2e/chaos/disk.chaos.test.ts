import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  makeLink,
  openStage,
  type Process,
  pause,
  readMetrics,
  type Stage,
  sendVisitors,
  settledClicks,
} from "./stage.ts";

const diskBytes = 64 * 1024;
let stage: Stage;
let front: Process;
let key: string;
let spool: string;
let isMounted = false;

/** A disk of a few kilobytes; where mounting is not permitted, a folder that cannot be created. */
function makeSmallDisk(folder: string): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskBytes}`, "tmpfs", folder], {
      stdio: "ignore",
    });
    return true;
  } catch {
    execFileSync("rmdir", [folder]);
    writeFileSync(folder, "");
    return false;
  }
}

beforeEach(async () => {
  stage = await openStage();
  spool = join(String(stage.env["FUXI_DATA_DIR"]), "spool");
  isMounted = makeSmallDisk(spool);
  const api = await stage.start("workers/api.ts");
  key = (await makeLink(api, { url: "https://example.com/target" })).key;
  api.kill("SIGTERM");
  [front] = await Promise.all([
    stage.start("workers/redirect.ts"),
    stage.start("workers/index.ts"),
  ]);
});

afterEach(async () => {
  // A disk in use cannot be unmounted.
  front.kill("SIGKILL");
  await pause(200);
  if (isMounted) execFileSync("umount", [spool]);
  await stage.close();
});

async function lost(): Promise<number> {
  const text = await readMetrics(front);
  return Number(/^fuxi_clicks_total\{what="lost"\} (\d+)$/m.exec(text)?.[1]);
}

test("with Redis unavailable and the disk full, visitors are redirected, and uncounted clicks are known", async () => {
  const visitors = sendVisitors(() => `${front.url}/${key}`, 16);
  await visitors.answered(200);
  process.kill(stage.redisPid(), "SIGSTOP");
  await vi.waitFor(async () => expect(await lost()).toBeGreaterThan(100), 100_000);
  process.kill(stage.redisPid(), "SIGCONT");
  await visitors.answered(visitors.tally.answered + 500);
  const counts = await visitors.stop();
  expect(counts).toMatchObject({ lost: 0, other: 0 });
  const uncounted = await lost();
  const counted = await settledClicks(stage, key, counts.answered - uncounted);
  expect(counted).toBeGreaterThanOrEqual(counts.answered - uncounted);
  // Without any disk, the group that was being sent when Redis hung is given up but may be counted.
  expect(counted).toBeLessThanOrEqual(counts.answered - uncounted + (isMounted ? 0 : 16));
});
