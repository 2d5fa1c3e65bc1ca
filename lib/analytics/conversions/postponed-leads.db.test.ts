/** Leads that are reported before their clicks are counted. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { listCustomers } from "#lib/analytics/customers";
import { listCustomersQuery } from "#lib/analytics/customers/schema";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { parseId } from "#lib/basics/ids";
import { revokeApiKey } from "#lib/identity/api-keys";
import { presentLinks } from "#lib/links/reading";
import { limits, tryLimit } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { startWorkers, stopWorkers } from "#lib/platform/queue";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { auditQuery } from "#lib/tenancy/audit/schema";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { keyTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { leadJobs, trackLead } from "./index.ts";
import { trackLeadBody } from "./schema.ts";

openTestStores();
const { ask, make, scope } = openTestVisits("late-clicks");

beforeAll(() => openIngest());

const url = "https://shop.example/";
const postponed = leadJobs.slice(1);
const poll = { timeout: 60_000 };

async function click(key: string): Promise<string> {
  const { headers } = await ask(`/${key}`);
  return new URL(String(headers.location)).searchParams.get("dub_id") ?? "";
}

let made = 0;
function someone(): string {
  made += 1;
  return `customer-${made}`;
}

const lead = (body: object, as: WorkspaceScope = scope()) =>
  trackLead(as, trackLeadBody.parse({ eventName: "Sign up", ...body }));

async function leadsOf(id: string): Promise<number | undefined> {
  const [row] = await query<{ pk: number }>(
    sql`SELECT pk FROM link WHERE id = ${String(parseId("link", id))}`,
  );
  const pk = row?.pk ?? 0;
  return (await presentLinks(scope(), [pk])).get(pk)?.leads;
}

const isWaiting = { code: "service_unavailable", retryAfterSeconds: 1 };
/** Of a click that is on its way, or does not exist. */
const freshId = () => `${Date.now()}-${randomUUID()}`;

test("a lead whose click is counted late is accepted, and recorded then; one that must wait is not", async () => {
  const link = await make({ url, trackConversion: true });
  const [first, second] = [await click(link.key), await click(link.key)];
  const people = [someone(), someone()];
  const [async, deferred, waiting] = await Promise.allSettled([
    lead({ clickId: first, customerExternalId: people[0], customerName: "Ada" }),
    lead({ clickId: second, customerExternalId: people[1], mode: "deferred" }),
    lead({ clickId: first, customerExternalId: someone(), mode: "wait" }),
  ]);
  expect(async).toMatchObject({
    value: {
      click: { id: first },
      link: null,
      customer: { externalId: people[0], name: "Ada", email: null, avatar: null },
    },
  });
  expect(deferred).toMatchObject({ value: { click: { id: second }, link: null } });
  expect(waiting).toMatchObject({ reason: isWaiting });
  expect(await leadsOf(link.id)).toBe(0);
  await startWorkers(postponed);
  await ingestAll();
  await expect.poll(() => leadsOf(link.id), poll).toBe(1);
  const known = () => listCustomers(scope(), listCustomersQuery.parse({ externalId: people[1] }));
  await expect.poll(known, poll).toHaveLength(1);
  // A deferred one counts no lead.
  expect(await leadsOf(link.id)).toBe(1);
  await stopWorkers();
});

test("a lead whose click never comes is in the audit log", async () => {
  const old = `${Date.now() - 595_000}-${randomUUID()}`;
  const { link } = await lead({ clickId: old, customerExternalId: someone() });
  expect(link).toBeNull();
  await startWorkers(postponed);
  const failed = () => listAudit(scope(), auditQuery.parse({ action: "lead.failed" }));
  await expect
    .poll(failed, poll)
    .toMatchObject([{ subject: old, details: { name: "Sign up", error: expect.any(String) } }]);
  await stopWorkers();
});

test("a lead whose key is revoked before its click is counted is in the audit log", async () => {
  const key = await keyTestScope(scope());
  const clickId = freshId();
  expect(await lead({ clickId, customerExternalId: someone() }, key)).toMatchObject({ link: null });
  await revokeApiKey(scope(), key.actor);
  await startWorkers(postponed);
  const query = auditQuery.parse({ action: "lead.failed", actor: key.actor });
  await expect
    .poll(() => listAudit(scope(), query), poll)
    .toMatchObject([
      { subject: clickId, details: { error: expect.stringContaining("lost access") } },
    ]);
  await stopWorkers();
});

test("a workspace has a limited number of leads that wait for their clicks", async () => {
  const busy = await makeTestScope("busy");
  const { max } = limits.postponedLeadPerWorkspace;
  for (let used = 0; used < max - 1; used++) {
    await tryLimit("postponedLeadPerWorkspace", busy.workspaceId);
  }
  const early = () => lead({ clickId: freshId(), customerExternalId: someone() }, busy);
  expect(await early()).toMatchObject({ link: null });
  await expect(early()).rejects.toMatchObject(isWaiting);
});
