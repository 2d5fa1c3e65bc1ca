import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../test/http-client.ts";
import { fileOfRecipients } from "../../test/sources.ts";
import { apiKey, openStage, type Process, type Stage } from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const rows = Number(process.env["TEST_RECIPIENTS"] ?? (isLong ? 1_000_000 : 20_000));
/** More files as large as the first, into the same campaign: the memory must not grow with the campaign. */
const moreFiles = Number(process.env["TEST_MORE_FILES"] ?? 0);
const total = rows * (1 + moreFiles);
const kills = isLong ? 5 : 2;
/** A run of a million takes minutes; a busy machine may take much longer, also for the starts after kills. */
const endMs = 900_000 + total * 5;
/** Short runs have few moments in which they can be killed. */
const pollEveryMs = rows > 100_000 ? 200 : 20;
const warmUpRows = 50_000;
/** The process of the source may need this much more at the end than at the beginning. */
const growthMax = 1.3;

let stage: Stage;
let api: Process;

beforeAll(async () => {
  stage = await openStage();
  api = await stage.start("workers/api.ts");
});

afterAll(() => stage.close());

async function ask(method: string, path: string, body?: string, type = "application/json") {
  const answer = await send(`${api.url}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": type },
    ...(body === undefined ? {} : { body }),
  });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.text;
}

interface Source {
  id: string;
  state: string;
  done: number;
  added: number;
  refused: number;
  finishedAt: string | null;
}

const sourceOf = async (...given: Parameters<typeof ask>): Promise<Source> =>
  JSON.parse(await ask(...given));

/** The process of this source, if it runs here. */
function findProcess(id: string): number | undefined {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(id)) return Number(pid);
    } catch {
      // it ended meanwhile
    }
  }
  return undefined;
}

/** As the kernel would: with the process of the source, or with the worker, which ends that too. */
function kill(id: string, worker: Process): void {
  const pid = findProcess(id);
  if (pid !== undefined) process.kill(pid, "SIGKILL");
  worker.kill("SIGKILL");
}

/** Megabytes in use; undefined: the process has ended. */
function memoryOf(pid: number): number | undefined {
  try {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
  } catch {
    return undefined;
  }
}

/** Moments of the run at which it is killed, in rows: random, and the same process is never killed twice at once. */
function randomMoments(): number[] {
  const part = Math.floor(rows / (kills + 1));
  return Array.from({ length: kills }, (_, at) => at * part + randomInt(1, part));
}

interface Sample {
  pid: number;
  /** Rows of the source. */
  done: number;
  megabytes: number;
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/**
 * The memory late against early, in the process that added most rows. The first rows of a process are left out: its heap
 * grows to its usual size with them.
 */
function growthOf(samples: readonly Sample[]): { early: number; late: number; rows: number } {
  const pids = [...new Set(samples.map(({ pid }) => pid))];
  const warm = pids.map((pid) => {
    const own = samples.filter((one) => one.pid === pid);
    const [first] = own;
    return own.filter(({ done }) => done - (first?.done ?? 0) >= warmUpRows);
  });
  const rowsOf = (part: readonly Sample[]) => (part.at(-1)?.done ?? 0) - (part[0]?.done ?? 0);
  const [longest = []] = warm.sort((a, b) => rowsOf(b) - rowsOf(a));
  const third = Math.floor(longest.length / 3);
  const of = (part: readonly Sample[]) =>
    Math.round(median(part.map(({ megabytes }) => megabytes)));
  return {
    early: of(longest.slice(0, third)),
    late: of(longest.slice(-third)),
    rows: rowsOf(longest),
  };
}

function sampleOf({ id, done }: Source): Sample[] {
  const pid = findProcess(id);
  const megabytes = pid === undefined ? undefined : memoryOf(pid);
  return pid === undefined || megabytes === undefined ? [] : [{ pid, done, megabytes }];
}

/** Runs a source to its end, and kills its worker meanwhile. */
async function runWithKills(id: string) {
  const started = Date.now();
  const moments = randomMoments();
  const killedAt: number[] = [];
  const samples: Sample[] = [];
  let worker = await stage.start("workers/index.ts");
  let found = await sourceOf("GET", `/recipient-sources/${id}`);
  while (found.finishedAt === null && Date.now() < started + endMs) {
    samples.push(...sampleOf(found));
    const moment = moments[killedAt.length];
    if (moment !== undefined && found.done >= moment) {
      kill(id, worker);
      killedAt.push(found.done);
      // Skips the wait for the lease to expire.
      await stage.db.query("UPDATE recipient_source SET seen_at = '-infinity'");
      worker = await stage.start("workers/index.ts");
    }
    await setTimeout(pollEveryMs);
    found = await sourceOf("GET", `/recipient-sources/${id}`);
  }
  return { found, killedAt, samples, seconds: Math.round((Date.now() - started) / 1_000) };
}

test("a worker that is killed at random moments gives each row one recipient and one link, in order", {
  timeout: endMs + 60_000,
}, async () => {
  const campaign: { id: string } = JSON.parse(
    await ask(
      "POST",
      "/campaigns",
      JSON.stringify({
        name: "Chaos",
        kind: "service",
        template: "Hi {name}, {link} now",
        destination: "https://example.com/chaos?r={recipientId}",
        defaultCountry: "CN",
        columns: [{ name: "name" }],
      }),
    ),
  );
  const file = fileOfRecipients(rows);
  const { id } = await sourceOf("POST", `/campaigns/${campaign.id}/files`, file, "text/csv");
  await ask("POST", `/recipient-sources/${id}/start`);
  const { found, killedAt, samples, seconds } = await runWithKills(id);
  const memory = growthOf(samples);
  const later = await addMoreFiles(campaign.id);
  process.stdout.write(
    `${JSON.stringify({ rows, killedAt, seconds, megabytes: memory, later })}\n`,
  );
  expect(killedAt).toHaveLength(kills);
  expect(found).toMatchObject({ state: "done", done: rows, added: rows, refused: 0 });
  const { rows: stored } = await stage.db.query(
    `SELECT count(*)::int AS recipients, count(DISTINCT phone_hash)::int AS phones,
       count(DISTINCT link_id)::int AS linked
     FROM campaign_recipient`,
  );
  expect(stored).toEqual([{ recipients: total, phones: total, linked: total }]);
  const { rows: links } = await stage.db.query(
    "SELECT count(*)::int AS links FROM link WHERE url LIKE 'https://example.com/chaos%'",
  );
  expect(links).toEqual([{ links: total }]);
  expect(await countInOrder(campaign.id)).toEqual({ lines: total, misplaced: 0 });
  // Short runs have no process that has added so many.
  if (memory.rows >= warmUpRows) expect(memory.late).toBeLessThan(memory.early * growthMax);
  for (const { late } of later) expect(late).toBeLessThan(memory.early * growthMax);
});

/** The memory of the process of each further file, which nothing kills. */
async function addMoreFiles(campaignId: string) {
  const found: ReturnType<typeof growthOf>[] = [];
  for (let at = 1; at <= moreFiles; at++) {
    const file = fileOfRecipients(rows, at * rows);
    const { id } = await sourceOf("POST", `/campaigns/${campaignId}/files`, file, "text/csv");
    await ask("POST", `/recipient-sources/${id}/start`);
    const samples: Sample[] = [];
    let source = await sourceOf("GET", `/recipient-sources/${id}`);
    while (source.finishedAt === null) {
      samples.push(...sampleOf(source));
      await setTimeout(pollEveryMs);
      source = await sourceOf("GET", `/recipient-sources/${id}`);
    }
    expect(source).toMatchObject({ added: rows, refused: 0 });
    found.push(growthOf(samples));
  }
  return found;
}

/** Reads the export while it arrives: a million lines are not held in memory. */
async function countInOrder(campaignId: string): Promise<{ lines: number; misplaced: number }> {
  const response = await fetch(`${api.url}/api/campaigns/${campaignId}/messages`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok || !response.body) throw new Error(`The export answers ${response.status}`);
  let lines = -1;
  let misplaced = 0;
  for await (const line of createInterface({ input: Readable.from(response.body) })) {
    const expected = lines < 0 ? "phone" : `86138${10_000_000 + lines}`;
    if (line.split(",")[1] !== expected) misplaced += 1;
    lines += 1;
  }
  return { lines, misplaced };
}
