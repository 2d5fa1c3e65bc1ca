import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../test/http-client.ts";
import { fileOfRecipients } from "../../test/sources.ts";
import { apiKey, openStage, type Process, type Stage } from "./stage.ts";

const rows = 20_000;
const kills = 2;
const endMs = 120_000;

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
}

const sourceOf = async (...given: Parameters<typeof ask>): Promise<Source> =>
  JSON.parse(await ask(...given));

/** As the kernel would: kills the process of this source, if it runs here. */
function killSource(id: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(id)) process.kill(Number(pid), 9);
    } catch {
      // it ended meanwhile
    }
  }
}

test("a worker that is killed twice gives each of 20,000 rows one recipient and one link, in order", {
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
  const started = Date.now();
  const end = started + endMs;
  const killedAt: number[] = [];
  let worker = await stage.start("workers/index.ts");
  let found = await sourceOf("GET", `/recipient-sources/${id}`);
  while (found.state !== "done" && Date.now() < end) {
    const wanted = ((killedAt.length + 1) * rows) / (kills + 2);
    if (killedAt.length < kills && found.done >= wanted) {
      killSource(id);
      worker.kill("SIGKILL");
      killedAt.push(found.done);
      // Skips the wait for the lease to expire.
      await stage.db.query("UPDATE recipient_source SET seen_at = '-infinity'");
      worker = await stage.start("workers/index.ts");
    }
    await setTimeout(20);
    found = await sourceOf("GET", `/recipient-sources/${id}`);
  }
  expect(killedAt).toHaveLength(kills);
  expect(found).toMatchObject({ state: "done", done: rows, added: rows, refused: 0 });
  const { rows: stored } = await stage.db.query(
    `SELECT count(*)::int AS recipients, count(DISTINCT phone_hash)::int AS phones,
       count(DISTINCT link_id)::int AS linked
     FROM campaign_recipient`,
  );
  expect(stored).toEqual([{ recipients: rows, phones: rows, linked: rows }]);
  const { rows: links } = await stage.db.query(
    "SELECT count(*)::int AS links FROM link WHERE url LIKE 'https://example.com/chaos%'",
  );
  expect(links).toEqual([{ links: rows }]);
  const csv = await ask("GET", `/campaigns/${campaign.id}/messages`);
  const phones = csv
    .trim()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(",")[1]);
  expect(phones).toEqual(Array.from({ length: rows }, (_, at) => `86138${10_000_000 + at}`));
});
