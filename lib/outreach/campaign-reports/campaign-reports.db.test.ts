import { beforeAll, expect, test } from "vitest";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { openLinks } from "#lib/links/creating";
import {
  addRecipients,
  createCampaign,
  deleteCampaign,
  getCampaignStatus,
  listRecipients,
} from "#lib/outreach/campaigns";
import { listRecipientsQuery } from "#lib/outreach/campaigns/schema";
import { addOptOuts } from "#lib/outreach/opt-outs";
import { addReceipts } from "#lib/outreach/receipts";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import { compactOldClicks } from "../../../test/clicks.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { compareCampaigns, exportCampaignReport, getCampaignReport } from "./index.ts";
import { compareCampaignsQuery, daysDaysMax, delaySteps, hoursDaysMax } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let first = 0;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
});

async function newCampaign(count: number, change: object = {}) {
  const { id } = await createCampaign(ada, campaignBody(change));
  const rows = recipientRows(count, first);
  first += count;
  await addRecipients(ada, id, rows);
  return { id, rows };
}

/** People and bots click the link of a message. */
async function click(id: string, messageId: string | undefined, clicks: number, bots = 0) {
  const changed = await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, bots)
    SELECT recipient.link_pk, recipient.workspace_pk, ${clicks}, ${bots}
    FROM campaign_recipient AS recipient
    JOIN campaign ON campaign.pk = recipient.campaign_pk
    WHERE campaign.id = ${id} AND recipient.message_id = ${messageId}
    RETURNING 1`);
  expect(changed).toHaveLength(1);
}

interface Sent {
  messageId: string | undefined;
  state: string;
  code?: string;
}

/** Messages are in these states, since an hour ago. */
async function setStates(id: string, sends: readonly Sent[]) {
  for (const { messageId, state, code = null } of sends) {
    await query(sql`
      INSERT INTO campaign_send (
        campaign_pk, position, workspace_pk, state, due_at, attempted_at, code
      )
      SELECT recipient.campaign_pk, position, recipient.workspace_pk, ${state}, now(),
        now() - interval '1 hour', ${code}
      FROM campaign_recipient AS recipient
      JOIN campaign ON campaign.pk = recipient.campaign_pk
      WHERE campaign.id = ${id} AND recipient.message_id = ${messageId}`);
  }
}

/** The link of a message was first clicked this long after a moment. */
async function firstClick(
  id: string,
  messageId: string | undefined,
  since: "attempted_at" | "settled_at",
  seconds: number,
) {
  const [first] = await query<{ link_pk: number; at: Date }>({
    text: `
      SELECT recipient.link_pk, send.${since} + $3 * interval '1 second' AS at
      FROM campaign_send AS send
      JOIN campaign ON campaign.pk = send.campaign_pk
      JOIN campaign_recipient AS recipient
        ON recipient.campaign_pk = send.campaign_pk AND recipient.position = send.position
      WHERE campaign.id = $1 AND recipient.message_id = $2`,
    values: [id, messageId, seconds],
  });
  await query(
    sql`UPDATE link_stat SET first_click_at = ${first?.at} WHERE link_pk = ${first?.link_pk}`,
  );
}

const variants = ["A", "B"].map((name) => ({ name, template: `${name} {link}`, percentage: 50 }));
const prices = { currency: "USD", perPart: { CN: "0.01" } };

test("the report counts each message by its state, with the codes and the part that clicked", async () => {
  const { id, rows } = await newCampaign(10, { prices });
  const ids = rows.map(({ messageId }) => messageId);
  const states = ["delivered", "delivered", "delivered", "delivered", "failed", "accepted"];
  await setStates(id, [
    ...states.map((state, at) => ({ messageId: ids[at], state })),
    { messageId: ids[6], state: "unknown", code: "worker_ended" },
    { messageId: ids[7], state: "refused", code: "21211" },
    { messageId: ids[8], state: "refused", code: "21211" },
    { messageId: ids[9], state: "due" },
  ]);
  await click(id, ids[0], 3, 2);
  await click(id, ids[1], 0, 5);
  await click(id, ids[5], 1);
  const report = await getCampaignReport(ada, id);
  expect(report).toMatchObject({
    recipients: 10,
    refused: 2,
    sent: 6,
    delivered: 4,
    failed: 1,
    unknown: 1,
    optedOut: 0,
    clicked: 2,
    clicks: 4,
    rateOf: "delivered",
    clickRate: 1 / 4,
    currency: "USD",
  });
  expect(report.codes).toEqual([
    { state: "refused", code: "21211", messages: 2 },
    { state: "unknown", code: "worker_ended", messages: 1 },
  ]);
  const { cost, parts } = await getCampaignStatus(ada, id);
  expect(report).toMatchObject({ cost, parts });
  expect(cost).not.toBeNull();
});

test("rates are of delivered messages, else of sent ones, else of recipients", async () => {
  const { id, rows } = await newCampaign(4);
  const [one, two, three] = rows.map(({ messageId }) => messageId);
  await click(id, one, 1);
  expect(await getCampaignReport(ada, id)).toMatchObject({
    rateOf: "recipients",
    clickRate: 1 / 4,
    cost: null,
  });
  await setStates(id, [
    { messageId: one, state: "accepted" },
    { messageId: two, state: "accepted" },
    { messageId: three, state: "refused" },
  ]);
  expect(await getCampaignReport(ada, id)).toMatchObject({ rateOf: "sent", clickRate: 1 / 2 });
  await addReceipts(ada, id, { receipts: [{ messageId: one ?? "", state: "delivered" }] });
  expect(await getCampaignReport(ada, id)).toMatchObject({ rateOf: "delivered", clickRate: 1 });
  const empty = await createCampaign(ada, campaignBody());
  expect(await getCampaignReport(ada, empty.id)).toMatchObject({ recipients: 0, clickRate: null });
});

test("variants add up to the total, and agree with the recipients one by one", async () => {
  const { id, rows } = await newCampaign(60, { variants, template: undefined });
  const states = ["accepted", "delivered", "failed", "refused", "unknown"];
  await setStates(
    id,
    rows.map(({ messageId }, at) => ({ messageId, state: states[at % 5] ?? "" })),
  );
  for (const [at, { messageId }] of rows.entries()) {
    if (at % 3 === 0) await click(id, messageId, 1 + (at % 4), at % 2);
  }
  const report = await getCampaignReport(ada, id);
  const recipients = await listRecipients(ada, id, listRecipientsQuery.parse({}));
  for (const one of report.variants) {
    const own = recipients.filter(({ variant }) => variant === one.name);
    expect(own.length).toBeGreaterThan(0);
    expect(one).toMatchObject({
      recipients: own.length,
      clicked: own.filter(({ clicks }) => clicks > 0).length,
      clicks: own.reduce((sum, { clicks }) => sum + clicks, 0),
    });
  }
  for (const name of ["recipients", "sent", "delivered", "failed", "refused", "clicks"] as const) {
    expect(report.variants.reduce((sum, one) => sum + one[name], 0)).toBe(report[name]);
  }
});

test("only people who opted out after their message count, and none once phones are erased", async () => {
  const { id, rows } = await newCampaign(3);
  const [before, after] = rows;
  await setStates(
    id,
    rows.map(({ messageId }) => ({ messageId, state: "delivered" })),
  );
  await addOptOuts(ada, { phones: [before?.phone ?? ""] });
  await query(sql`UPDATE opt_out SET created_at = now() - interval '2 hours'`);
  expect((await getCampaignReport(ada, id)).optedOut).toBe(0);
  await addOptOuts(ada, { phones: [after?.phone ?? ""] });
  expect((await getCampaignReport(ada, id)).optedOut).toBe(1);
  await query(sql`UPDATE campaign SET erasing_at = now() WHERE id = ${id}`);
  expect((await getCampaignReport(ada, id)).optedOut).toBeNull();
});

test("first clicks are counted by the time since the message, a second before and at each step", async () => {
  const { id, rows } = await newCampaign(2 * delaySteps.length + 2);
  await setStates(
    id,
    rows.map(({ messageId }) => ({ messageId, state: "accepted" })),
  );
  const delays = [-5, 0, ...delaySteps.flatMap((step) => [step - 1, step])];
  for (const [at, seconds] of delays.entries()) {
    await click(id, rows[at]?.messageId, 1);
    await firstClick(id, rows[at]?.messageId, "attempted_at", seconds);
  }
  const { firstClicks, clickedAtDelivery } = await getCampaignReport(ada, id);
  expect(firstClicks.map(({ fromSeconds }) => fromSeconds)).toEqual([0, ...delaySteps]);
  expect(firstClicks.map(({ untilSeconds }) => untilSeconds)).toEqual([...delaySteps, null]);
  expect(firstClicks.map(({ recipients }) => recipients)).toEqual([3, 2, 2, 2, 2, 2, 2, 1]);
  expect(clickedAtDelivery).toBe(0);
});

test("messages that Fuxi doesn’t send count from when the recipient was added, and unknown times not at all", async () => {
  const { id, rows } = await newCampaign(2);
  for (const { messageId } of rows) await click(id, messageId, 1);
  const [added] = await query<{ link_pk: number; at: Date }>(sql`
    SELECT link_pk, created_at + interval '2 minutes' AS at
    FROM campaign_recipient
    WHERE message_id = ${rows[0]?.messageId}`);
  await query(
    sql`UPDATE link_stat SET first_click_at = ${added?.at} WHERE link_pk = ${added?.link_pk}`,
  );
  const { firstClicks, clicked } = await getCampaignReport(ada, id);
  expect(clicked).toBe(2);
  expect(firstClicks.map(({ recipients }) => recipients)).toEqual([0, 1, 0, 0, 0, 0, 0, 0]);
});

test("a first click within 10 seconds of the delivery receipt is shown apart, and stays a click", async () => {
  const { id, rows } = await newCampaign(5);
  const receipts = rows.map(({ messageId }) => ({ messageId, state: "delivered" as const }));
  await addReceipts(ada, id, { receipts });
  for (const [at, seconds] of [-11, -10, 10, 11].entries()) {
    await click(id, rows[at]?.messageId, 1);
    await firstClick(id, rows[at]?.messageId, "settled_at", seconds);
  }
  expect(await getCampaignReport(ada, id)).toMatchObject({ clicked: 4, clickedAtDelivery: 2 });
});

/** The first clicks of messages, as they are counted: at these minutes, in this place, on this device. */
interface FirstClick {
  messageId: string | undefined;
  at: Date;
  country: string | null;
  city: string | null;
  device: string;
}

async function putFirstClicks(id: string, clicks: readonly FirstClick[]) {
  await ensurePartitions(
    ["click"],
    clicks.map(({ at }) => at.getTime()),
  );
  for (const { messageId, at, country, city, device } of clicks) {
    await click(id, messageId, 1);
    const later = new Date(at.getTime() + 60_000);
    await query(sql`
      WITH found AS (
        UPDATE link_stat
        SET first_click_at = ${at}
        FROM campaign_recipient AS recipient
        WHERE recipient.message_id = ${messageId}
          AND recipient.campaign_pk = (SELECT pk FROM campaign WHERE id = ${id})
          AND link_stat.link_pk = recipient.link_pk
        RETURNING link_stat.link_pk, link_stat.workspace_pk
      )
      INSERT INTO analytics.click (
        at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link, first_of_workspace, id,
        country, city, device
      )
      SELECT given.at, link_pk, workspace_pk, 1, given.bot, false, false, false,
        gen_random_uuid(), given.country, given.city, ${device}
      FROM found
      CROSS JOIN (
        VALUES (${at}::timestamptz, false, ${country}::text, ${city}::text),
          (${at}::timestamptz, true, 'US', 'Ashburn'),
          (${later}::timestamptz, false, 'FR', 'Paris')
      ) AS given (at, bot, country, city)`);
  }
}

test("first clicks are counted by hour, place and device, once per recipient", async () => {
  const { id, rows } = await newCampaign(6);
  const begin = new Date("2026-10-01T08:10:00Z");
  const after = (minutes: number) => new Date(begin.getTime() + minutes * 60_000);
  const places = [
    { minutes: 0, country: "CN", city: "Hangzhou", device: "Mobile" },
    { minutes: 20, country: "CN", city: "Shanghai", device: "Mobile" },
    { minutes: 130, country: "CN", city: "Hangzhou", device: "Desktop" },
    { minutes: 135, country: null, city: null, device: "Mobile" },
  ];
  await putFirstClicks(
    id,
    places.map(({ minutes, ...place }, at) => ({
      messageId: rows[at]?.messageId,
      at: after(minutes),
      ...place,
    })),
  );
  // Its click is no longer stored.
  await click(id, rows[4]?.messageId, 1);
  await query(sql`
    UPDATE link_stat SET first_click_at = ${after(30)}
    FROM campaign_recipient AS recipient
    WHERE recipient.link_pk = link_stat.link_pk AND message_id = ${rows[4]?.messageId}`);
  const report = await getCampaignReport(ada, id);
  expect(report.clicksByTime).toEqual({
    unit: "hour",
    timezone: ada.zone,
    buckets: [
      { start: "2026-10-01T08:00:00.000Z", recipients: 3 },
      { start: "2026-10-01T09:00:00.000Z", recipients: 0 },
      { start: "2026-10-01T10:00:00.000Z", recipients: 2 },
    ],
  });
  expect(report).toMatchObject({
    clicked: 5,
    located: 4,
    countries: [
      { country: "CN", recipients: 3 },
      { country: "", recipients: 1 },
    ],
    cities: [
      { country: "CN", city: "Hangzhou", recipients: 2 },
      { country: "", city: "", recipients: 1 },
      { country: "CN", city: "Shanghai", recipients: 1 },
    ],
    devices: [
      { device: "Mobile", recipients: 3 },
      { device: "Desktop", recipients: 1 },
    ],
  });
  await compactOldClicks();
  expect(await query(sql`SELECT 1 FROM analytics.click WHERE at < ${after(1_000)}`)).toEqual([]);
  expect(await getCampaignReport(ada, id)).toEqual(report);
  const { clicksByTime } = await getCampaignReport({ ...ada, zone: "Asia/Kolkata" }, id);
  expect(clicksByTime).toEqual({
    unit: "hour",
    timezone: "Asia/Kolkata",
    buckets: [
      { start: "2026-10-01T07:30:00.000Z", recipients: 1 },
      { start: "2026-10-01T08:30:00.000Z", recipients: 2 },
      { start: "2026-10-01T09:30:00.000Z", recipients: 2 },
    ],
  });
});

test.each([
  [hoursDaysMax, "hour", hoursDaysMax * 24 + 1],
  [hoursDaysMax + 1, "day", hoursDaysMax + 2],
  [daysDaysMax, "day", daysDaysMax + 1],
  [daysDaysMax + 1, "month", 14],
])("first clicks that span %i days are counted by %s", async (days, unit, buckets) => {
  const { id, rows } = await newCampaign(2);
  const begin = new Date("2025-01-15T12:00:00Z");
  for (const [at, after] of [0, days].entries()) {
    await click(id, rows[at]?.messageId, 1);
    await query(sql`
      UPDATE link_stat SET first_click_at = ${begin}::timestamptz + ${after} * interval '1 day'
      FROM campaign_recipient AS recipient
      WHERE recipient.link_pk = link_stat.link_pk AND message_id = ${rows[at]?.messageId}`);
  }
  const { clicksByTime } = await getCampaignReport(ada, id);
  expect(clicksByTime.unit).toBe(unit);
  expect(clicksByTime.buckets).toHaveLength(buckets);
  expect(clicksByTime.buckets.reduce((sum, { recipients }) => sum + recipients, 0)).toBe(2);
});

test("places and devices go back as far as the plan keeps clicks", async () => {
  const { id, rows } = await newCampaign(2);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const place = { country: "CN", city: "Hangzhou", device: "Mobile" };
  await putFirstClicks(id, [
    { messageId: rows[0]?.messageId, at: daysAgo(9), ...place },
    { messageId: rows[1]?.messageId, at: daysAgo(11), ...place },
  ]);
  const limited = { ...ada, limits: { ...ada.limits, clicksKeptDays: 10 } };
  expect(await getCampaignReport(limited, id)).toMatchObject({ clicked: 2, located: 1 });
  expect(await getCampaignReport(ada, id)).toMatchObject({ located: 2 });
});

test("the file of a report has its numbers, one per line", async () => {
  const { id, rows } = await newCampaign(3, { name: "=1+1", prices });
  await setStates(id, [
    { messageId: rows[0]?.messageId, state: "delivered" },
    { messageId: rows[1]?.messageId, state: "refused", code: "21211" },
  ]);
  await click(id, rows[0]?.messageId, 2);
  const chunks: Uint8Array[] = [];
  const file = await exportCampaignReport(ada, id);
  await file.send((bytes) => {
    chunks.push(bytes);
    return Promise.resolve();
  });
  const lines = Buffer.concat(chunks).toString().split("\r\n");
  expect(lines[0]).toBe("\u{feff}table,name,figure,value");
  expect(lines).toContain("campaign,'=1+1,recipients,3");
  expect(lines).toContain("campaign,'=1+1,clicked,1");
  expect(lines).toContain("campaign,'=1+1,clickRate,1");
  expect(lines).toContain("variant,A,clicks,2");
  expect(lines).toContain("refused,21211,messages,1");
});

test("refused rows are counted, but are no recipients", async () => {
  const { id } = await createCampaign(ada, campaignBody());
  await addRecipients(ada, id, [{ messageId: "bad", phone: "12", columns: {} }]);
  expect(await getCampaignReport(ada, id)).toMatchObject({ rowsRefused: 1, recipients: 0 });
});

test("the link of another recipient that got the number of a deleted link doesn’t count", async () => {
  const { id, rows } = await newCampaign(1);
  await click(id, rows[0]?.messageId, 1);
  await query(sql`
    UPDATE campaign_recipient SET link_id = gen_random_uuid()
    WHERE campaign_pk = (SELECT pk FROM campaign WHERE id = ${id})`);
  expect(await getCampaignReport(ada, id)).toMatchObject({ clicked: 0, clicks: 0 });
});

test("a comparison has 2 to 5 different campaigns, in their order", async () => {
  const ids: string[] = [];
  while (ids.length < 6) ids.push((await newCampaign(1)).id);
  const parse = (some: readonly string[]) =>
    compareCampaignsQuery.safeParse({ campaignIds: some.join(",") });
  for (const count of [2, 5]) {
    const parsed = compareCampaignsQuery.parse({ campaignIds: ids.slice(0, count).join(",") });
    const reports = await compareCampaigns(ada, parsed);
    expect(reports.map(({ campaignId }) => campaignId)).toEqual(ids.slice(0, count));
  }
  expect(parse(ids.slice(0, 1)).success).toBe(false);
  expect(parse(ids).success).toBe(false);
  expect(parse([ids[0] ?? "", ids[0] ?? ""]).success).toBe(false);
});

test("campaigns of another workspace, of another member, and deleted ones answer like missing ones", async () => {
  const { id } = await newCampaign(1);
  const { id: other } = await newCampaign(1);
  const bob = await makeTestScope("bob");
  const member = await joinTestScope(ada, "carol", "member");
  for (const scope of [bob, member]) {
    await expect(getCampaignReport(scope, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(exportCampaignReport(scope, id)).rejects.toMatchObject({ code: "not_found" });
    const compared = compareCampaigns(scope, { campaignIds: [id, other] });
    await expect(compared).rejects.toMatchObject({ code: "not_found" });
  }
  await deleteCampaign(ada, id);
  await expect(getCampaignReport(ada, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(getCampaignReport(ada, "camp_x")).rejects.toMatchObject({ code: "not_found" });
});
