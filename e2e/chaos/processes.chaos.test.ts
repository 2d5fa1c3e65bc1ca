import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isAlive } from "../../scripts/processes.ts";
import {
  existingPid,
  makeLink,
  openStage,
  type Process,
  readMetrics,
  type Stage,
  sendVisits,
  settledClicks,
} from "./stage.ts";

const processes = 2;
let stage: Stage;
let front: Process;
let key: string;

beforeAll(async () => {
  stage = await openStage();
  const api = await stage.start("workers/api.ts");
  key = (await makeLink(api, { url: "https://example.com/target" })).key;
  api.kill("SIGTERM");
  stage.env["FUXI_REDIRECT_PROCESSES"] = String(processes);
  front = await stage.start("workers/redirect.ts");
});

afterAll(() => stage.close());

async function metric(name: string): Promise<number> {
  const text = await readMetrics(front);
  const [, value] = new RegExp(`^${name} (\\S+)$`, "m").exec(text) ?? [];
  return Number(value);
}

/** The serving processes: children of the started one, with the same entry. */
function pids(): number[] {
  const lines = execFileSync("ps", ["-ww", "-o", "pid=,args=", "--ppid", String(front.child.pid)]);
  return lines
    .toString()
    .split("\n")
    .filter((line) => /\bredirect\.(mjs|ts)\b/.test(line))
    .map((line) => Number.parseInt(line, 10));
}

let answered = 0;
let lost = 0;

async function visit(count: number): Promise<number> {
  const counts = await sendVisits(() => `${front.url}/${key}`, count);
  expect(counts.other).toBe(0);
  answered += counts.answered;
  lost += counts.lost;
  return counts.answered;
}

test("several processes on one port count together, and their metrics are added up", async () => {
  expect(pids()).toHaveLength(processes);
  const visits = await visit(400);
  expect(lost).toBe(0);
  expect(await metric('fuxi_clicks_total{what="events"}')).toBe(visits);
  expect(await metric("fuxi_visit_seconds_count")).toBe(visits);
});

test("a killed process is restarted, while the other answers", async () => {
  const victim = existingPid(pids()[0]);
  process.kill(victim, "SIGKILL");
  await visit(100);
  await vi.waitFor(
    () => {
      const now = pids();
      expect(now).toHaveLength(processes);
      expect(now).not.toContain(victim);
    },
    { timeout: 400_000, interval: 100 },
  );
});

test("all of them write their last clicks when their supervisor is stopped", async () => {
  const before = pids();
  await visit(100);
  front.kill("SIGTERM");
  await vi.waitFor(() => expect(before.filter(isAlive)).toEqual([]), 100_000);
  await stage.start("workers/index.ts");
  const counted = await settledClicks(stage, key, answered);
  expect(counted).toBeGreaterThanOrEqual(answered);
  expect(counted).toBeLessThanOrEqual(answered + lost);
});

test("a start that PostgreSQL refuses halfway is tried again", async () => {
  await stage.db.query("CREATE SEQUENCE start_attempt");
  await stage.db.query(`
    CREATE FUNCTION refuse_start() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('start_attempt') < 3 THEN
        RAISE EXCEPTION 'the database system is starting up' USING ERRCODE = 'cannot_connect_now';
      END IF;
      RETURN NULL;
    END $$`);
  await stage.db.query(`
    CREATE TRIGGER refuse_start BEFORE UPDATE ON installation
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_start()`);
  const late = await stage.start("workers/api.ts");
  expect((await late.call("GET", "/links")).status).toBe(200);
  const { rows } = await stage.db.query("SELECT last_value::int AS attempts FROM start_attempt");
  expect(rows[0].attempts).toBeGreaterThanOrEqual(3);
});
