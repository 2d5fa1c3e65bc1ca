import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../test/http-client.ts";
import { apiKey, openStage, type Process, type Stage } from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const rows = isLong ? 200_000 : 4_000;
const kills = isLong ? 3 : 2;
const endMs = 900_000;

let stage: Stage;
let api: Process;

beforeAll(async () => {
  stage = await openStage();
  api = await stage.start("workers/api.ts");
});

afterAll(() => stage.close());

interface ImportState {
  id: string;
  state: string;
  done: number;
  made: number;
  refused: number;
}

async function ask(method: string, path: string, body?: string): Promise<ImportState> {
  const answer = await send(`${api.url}/api/imports${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "text/csv" },
    ...(body === undefined ? {} : { body }),
  });
  if (answer.status >= 300) throw new Error(answer.text);
  return JSON.parse(answer.text);
}

/** As the kernel would: kills the process of this import, if it runs here. */
function killImport(id: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(id)) process.kill(Number(pid), 9);
    } catch {
      // it ended meanwhile
    }
  }
}

test("a worker that is killed repeatedly during an import gives each row one link and one result", {
  timeout: endMs + 60_000,
}, async () => {
  const lines = Array.from({ length: rows }, (_, row) => `https://example.com/${row},Row ${row}`);
  const { id } = await ask("POST", "?name=chaos.csv", `url,title\n${lines.join("\n")}\n`);
  await ask("POST", `/${id}/start`);
  const killedAt: number[] = [];
  let worker = await stage.start("workers/index.ts");
  const end = Date.now() + endMs;
  let found = await ask("GET", `/${id}`);
  while (found.state !== "done" && Date.now() < end) {
    const wanted = ((killedAt.length + 1) * rows) / (kills + 2);
    if (killedAt.length < kills && found.done >= wanted) {
      // Kills the process of the import and the worker that started it; once only the import.
      if (killedAt.length > 0) killImport(id);
      worker.kill("SIGKILL");
      killedAt.push(found.done);
      // Skips the wait for the lease to expire.
      await stage.db.query("UPDATE import SET seen_at = now() - interval '1 minute'");
      worker = await stage.start("workers/index.ts");
    }
    await setTimeout(50);
    found = await ask("GET", `/${id}`);
  }
  expect(killedAt).toHaveLength(kills);
  expect(found).toMatchObject({ state: "done", done: rows, made: rows, refused: 0 });
  const { rows: links } = await stage.db.query(
    "SELECT count(*)::int AS links, count(DISTINCT url)::int AS urls FROM link WHERE title LIKE 'Row %'",
  );
  expect(links).toEqual([{ links: rows, urls: rows }]);
  const results = await send(`${api.url}/api/imports/${id}/results`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  const [, ...resultLines] = results.text.trim().split("\r\n");
  const numbers = resultLines.map((line) => Number(/,(\d+),made,$/.exec(line)?.[1]));
  expect(numbers).toEqual(Array.from({ length: rows }, (_, row) => row + 2));
  const { rows: short } = await stage.db.query(
    "SELECT key FROM link WHERE title LIKE 'Row %' ORDER BY key",
  );
  const keys = resultLines.map((line) => /\/([^/,]+),link_/.exec(line)?.[1]).toSorted();
  expect(keys).toEqual(short.map(({ key }) => key).toSorted());
});
