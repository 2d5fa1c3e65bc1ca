/**
 * Redirects at a fixed rate, alternately alone and while 10,000 events a second are added for a webhook whose receiver
 * is down, with a worker that routes and delivers them. `--pairs=6`: as many pairs.
 */
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createWebhook, listSamples } from "#lib/outreach/webhooks";
import { createWebhookBody } from "#lib/outreach/webhooks/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql, transaction } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { addEvents } from "#lib/tenancy/webhook-events";
import { findFreePort } from "../scripts/ports.ts";
import { makeTestScope } from "../test/scope.ts";
import { measureBeside } from "./beside.ts";
import { machine, openStage } from "./stage.ts";

const eventsPerSecond = 10_000;
/** As ingest adds them: those of a batch of clicks, and of the parts of the stream beside each other. */
const eventsAtOnce = 1_000;
const adders = 2;

const given = process.argv.find((one) => one.startsWith("--pairs="))?.split("=")[1];
const pairs = Number(given ?? 6);
const stage = await openStage();
process.env["FUXI_FETCH"] = "loopback";
openCoherence();
const scope = await makeTestScope("bench-webhooks");
const events = ["link.clicked"];
const url = `http://127.0.0.1:${await findFreePort()}/down`;
await createWebhook(scope, createWebhookBody.parse({ name: "Down", url, events }));
const [sample] = listSamples(scope, "link.clicked");
const worker = await stage.run("workers/index.ts", [], { FUXI_FETCH: "loopback" });

try {
  const measured = await measureBeside(stage, { pairs, workWhile: addWhile });
  const [routed] = await query<{ routed: number }>(sql`
    SELECT count(*) AS routed
    FROM webhook_event`);
  const result = { machine: machine(), ...routed, ...measured };
  console.dir(result, { depth: 4 });
  if (process.argv.includes("--keep")) {
    writeFileSync("bench/webhooks.json", `${JSON.stringify(result, undefined, 2)}\n`);
  }
} finally {
  await worker.stop();
  await closeAll();
  await stage.close();
}
process.exit(0);

/** Adds events at their rate until the visits end. What waits then does not burden the next phase. */
async function addWhile(isVisited: () => boolean): Promise<number> {
  const added = await Promise.all(Array.from({ length: adders }, () => addShare(isVisited)));
  await query(sql`TRUNCATE webhook_outbox`);
  return added.reduce((sum, one) => sum + one, 0);
}

async function addShare(isVisited: () => boolean): Promise<number> {
  const startedAt = Date.now();
  const data = { ...sample?.data };
  let added = 0;
  while (isVisited()) {
    const event = { workspacePk: scope.workspacePk, type: "link.clicked", data } as const;
    const batch = Array.from({ length: eventsAtOnce }, () => event);
    await transaction((tx) => addEvents(tx, batch));
    added += eventsAtOnce;
    const dueAt = startedAt + (added / (eventsPerSecond / adders)) * 1_000;
    await sleep(Math.max(0, dueAt - Date.now()));
  }
  return added;
}
