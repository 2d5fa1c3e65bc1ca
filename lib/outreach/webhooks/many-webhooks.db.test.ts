/** A workspace with as many webhooks as it can have, all of them called by a slow receiver. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { addEvents } from "#lib/tenancy/webhook-events";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { startWebhookReceiver } from "../../../test/webhooks.ts";
import { deliverAll } from "./delivery-jobs.ts";
import { createWebhook, listSamples, webhooksMax } from "./index.ts";
import { routeEvents } from "./routing.ts";
import { createWebhookBody } from "./schema.ts";

openTestStores({ FUXI_FETCH: "loopback" });

const events = 20;
const slowMs = 300;
const quickMs = 60_000;
const setUpMs = 240_000;
/** What a worker runs at once. */
const runs = 4;

async function addEventsTo(scope: WorkspaceScope): Promise<void> {
  const { workspacePk } = scope;
  const [sample] = listSamples(scope, "link.created");
  const data = { ...sample?.data };
  const added = Array.from({ length: events }, () => ({
    workspacePk,
    type: "link.created" as const,
    data,
  }));
  await transaction((tx) => addEvents(tx, added));
}

async function waitingOf({ workspacePk }: WorkspaceScope): Promise<number> {
  const [row] = await query<{ waiting: number }>(
    sql`SELECT sum(waiting)::int AS waiting FROM webhook WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.waiting ?? 0;
}

/** Takes everything, each after a moment. */
async function startSlowReceiver() {
  const server = createServer((req, res) => {
    req.resume();
    setTimeout(() => res.writeHead(204).end(), slowMs);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, server };
}

test(`${webhooksMax} webhooks of one workspace with a slow receiver delay no other workspace`, {
  timeout: setUpMs,
}, async () => {
  const ada = await makeTestScope("ada");
  const bob = await makeTestScope("bob");
  const slow = await startSlowReceiver();
  const quick = await startWebhookReceiver();
  const body = (url: string) =>
    createWebhookBody.parse({ name: "CRM", url, events: ["link.created"] });
  for (let count = 0; count < webhooksMax; count++) await createWebhook(ada, body(slow.url));
  await createWebhook(bob, body(quick.url));
  await addEventsTo(ada);
  await routeEvents();
  expect(await waitingOf(ada)).toBe(webhooksMax * events);

  // Due after all of the others.
  await addEventsTo(bob);
  const running = Promise.all(Array.from({ length: runs }, () => deliverAll()));
  await expect.poll(() => quick.got.length, { timeout: quickMs }).toBe(events);
  // Nearly all of the others still wait.
  expect(await waitingOf(ada)).toBeGreaterThan(webhooksMax * events * 0.9);
  await query(sql`DELETE FROM webhook`);
  await running;
  slow.server.close();
  slow.server.closeAllConnections();
  await quick.close();
});
