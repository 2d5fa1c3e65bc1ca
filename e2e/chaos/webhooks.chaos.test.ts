/**
 * Webhooks whose receiver ends and comes back, while the worker is killed: after deduplication by id nothing is missing
 * or double, and the ordered one has the events of each link in their order.
 */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWebhookReceiver, type WebhookReceiver } from "../../test/webhooks.ts";
import { openStage, type Process, type Stage } from "./stage.ts";

const links = process.env["TEST_LONG"] ? 5_000 : 60;
const edits = 5;
const kills = process.env["TEST_LONG"] ? 20 : 3;
const endMs = process.env["TEST_LONG"] ? 900_000 : 180_000;
const env = { FUXI_FETCH: "loopback" };

let stage: Stage;
let api: Process;
let receiver: WebhookReceiver;
const got: { path: string; id: string; body: string }[] = [];

beforeAll(async () => {
  await listen(0);
  stage = await openStage();
  api = await stage.start("workers/api.ts", env);
});

afterAll(async () => {
  await stage.close();
  await receiver.close();
});

/** A receiver of both webhooks. Every seventh request is taken, and its response lost. */
async function listen(port: number): Promise<void> {
  receiver = await startWebhookReceiver(port);
  let requests = 0;
  receiver.answer = ({ url, headers, body }) => {
    requests += 1;
    const kept = () => got.push({ path: url, id: String(headers["webhook-id"]), body });
    if (requests % 11 === 0) return 500;
    kept();
    return requests % 7 === 0 ? undefined : 204;
  };
}

async function post(path: string, body: object) {
  const answer = await api.call("POST", path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Pauses after failures end at once. What the worker holds is left out: the next call finds it. */
async function skipPauses(): Promise<number> {
  for (const [table, key] of [
    ["webhook_delivery", "event_pk, webhook_pk"],
    ["webhook", "pk"],
  ]) {
    await stage.db.query(`
      UPDATE ${table}
      SET due_at = now()
      WHERE (${key}) IN (
        SELECT ${key} FROM ${table} WHERE due_at > now() FOR UPDATE SKIP LOCKED)`);
  }
  const { rows } = await stage.db.query(`
    SELECT (SELECT count(*) FROM webhook_delivery WHERE state = 'waiting')
      + (SELECT count(*) FROM webhook_outbox) AS left`);
  return Number(rows[0].left);
}

async function restartReceiver(port: number): Promise<void> {
  await receiver.close();
  await setTimeout(100);
  await listen(port);
}

async function makeEvents(): Promise<void> {
  const made = await post(
    "/links/bulk",
    Array.from({ length: links }, (_, at) => ({ url: `https://example.com/${at}` })),
  );
  const linkIds = made.map(({ id }: { id: string }) => id);
  for (let edit = 1; edit <= edits; edit++) {
    for (let from = 0; from < links; from += 100) {
      const body = { linkIds: linkIds.slice(from, from + 100), data: { title: `${edit}` } };
      const answer = await api.call("PATCH", "/links/bulk", body);
      if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    }
  }
}

/** The titles of each link in the order of their arrival, each event once. */
function titlesOf(events: typeof got): Map<string, (string | null)[]> {
  const first = new Map(events.toReversed().map((event) => [event.id, event]));
  const titles = new Map<string, (string | null)[]>();
  for (const event of events) {
    if (first.get(event.id) !== event) continue;
    const { data } = JSON.parse(event.body);
    titles.set(data.id, [...(titles.get(data.id) ?? []), data.title]);
  }
  return titles;
}

test(
  "nothing is missing or out of order after kills of worker and receiver",
  async () => {
    const events = ["link.created", "link.updated"];
    const url = receiver.url;
    const port = Number(new URL(url).port);
    for (const ordered of [true, false]) {
      await post("/webhooks", { name: "Chaos", url: `${url}/${ordered}`, events, ordered });
    }
    let worker = await stage.start("workers/index.ts", env);
    const making = makeEvents();
    for (let kill = 0; kill < kills; kill++) {
      const before = got.length;
      await expect.poll(() => got.length, { timeout: endMs }).toBeGreaterThan(before + 10);
      worker.kill("SIGKILL");
      await restartReceiver(port);
      await skipPauses();
      // A killed worker holds its leases until they end.
      await stage.db.query("UPDATE webhook SET lease_until = now()");
      worker = await stage.start("workers/index.ts", env);
    }
    await making;
    await expect.poll(skipPauses, { timeout: endMs, interval: 200 }).toBe(0);
    for (const ordered of [true, false]) {
      const titles = titlesOf(got.filter(({ path }) => path.endsWith(`/${ordered}`)));
      expect(titles.size).toBe(links);
      const expected = [null, ...Array.from({ length: edits }, (_, at) => `${at + 1}`)];
      for (const given of titles.values()) {
        // Without an order, too, each is there once.
        expect(ordered ? given : given.toSorted()).toEqual(
          ordered ? expected : expected.toSorted(),
        );
      }
    }
  },
  2 * endMs,
);
