import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { addRecipients, createCampaign, deleteCampaign } from "#lib/outreach/campaigns";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { uploadText } from "../../../test/sources.ts";
import { openTestStores } from "../../../test/stores.ts";
import { findCampaignNames, listCampaignOverview } from "./index.ts";
import { campaignStates, listOverviewQuery, namesMax, searchNames } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
});

async function newCampaign(name: string, scope = ada): Promise<string> {
  return (await createCampaign(scope, campaignBody({ name }))).id;
}

const list = (filter: object = {}, scope = ada) =>
  listCampaignOverview(scope, listOverviewQuery.parse(filter));

async function setSending(id: string, state: string): Promise<void> {
  await query(sql`
    INSERT INTO campaign_sending (campaign_pk, workspace_pk, state, starts_at, rate, next_at)
    SELECT pk, workspace_pk, ${state}, now(), 1, now() FROM campaign WHERE id = ${id}`);
}

test("a campaign shows its recipients, messages by state, and recipients who clicked without bots", async () => {
  const id = await newCampaign("Autumn");
  await addRecipients(ada, id, [...recipientRows(5), { messageId: "x", phone: "12", columns: {} }]);
  await query(sql`
    INSERT INTO campaign_send (campaign_pk, position, workspace_pk, state, due_at)
    SELECT campaign_pk, position, recipient.workspace_pk,
      CASE WHEN position <= 2 THEN 'delivered' ELSE 'due' END, now()
    FROM campaign_recipient AS recipient
    JOIN campaign ON campaign.pk = campaign_pk
    WHERE campaign.id = ${id} AND recipient.state = 'ready'`);
  const click = async (messageId: string, clicks: number, bots: number) =>
    await query(sql`
      INSERT INTO link_stat (link_pk, workspace_pk, clicks, bots)
      SELECT link_pk, recipient.workspace_pk, ${clicks}, ${bots}
      FROM campaign_recipient AS recipient
      JOIN campaign ON campaign.pk = campaign_pk
      WHERE campaign.id = ${id} AND message_id = ${messageId}`);
  await click("m-0", 4, 0);
  await click("m-1", 0, 3);
  const [found] = await list({ search: "autumn" });
  expect(found).toMatchObject({
    id,
    kind: "service",
    state: "draft",
    recipients: 5,
    refused: 1,
    clicked: 1,
    sends: { delivered: 2, due: 3 },
    adding: false,
  });
});

test("the newest campaign is first, and pages have no gap and no repetition", async () => {
  const ids = [];
  for (let at = 0; at < 5; at++) ids.push(await newCampaign(`Page ${at}`));
  const pages = await Promise.all(
    [1, 2, 3].map((page) => list({ search: "Page ", page, pageSize: 2 })),
  );
  expect(pages.flat().map(({ id }) => id)).toEqual(ids.reverse());
});

test("a search finds letters of any case and takes % and _ literally", async () => {
  const id = await newCampaign("Rebate 50%_A");
  expect((await list({ search: "rebate 50%_a" })).map((one) => one.id)).toEqual([id]);
  expect(await list({ search: "rebate_50" })).toEqual([]);
  expect(await list({ search: "%bate" })).toEqual([]);
});

test("each state lists its campaigns only", async () => {
  const ids = new Map<string, string>();
  for (const state of campaignStates) {
    const id = await newCampaign(`State of ${state}`);
    ids.set(state, id);
    if (state !== "draft") await setSending(id, state);
  }
  for (const state of campaignStates) {
    const found = await list({ search: "State of", state });
    expect(found.map(({ id }) => id)).toEqual([ids.get(state)]);
  }
});

test("a campaign whose recipients are being added says so", async () => {
  const id = await newCampaign("Adding");
  const { id: source } = await uploadText(ada, id, "phone\n13800138000\n");
  expect(await list({ search: "Adding" })).toMatchObject([{ adding: false }]);
  for (const state of ["waiting", "running", "undoing"]) {
    await query(sql`UPDATE recipient_source SET state = ${state} WHERE id = ${source}`);
    expect(await list({ search: "Adding" })).toMatchObject([{ adding: true }]);
  }
});

test("deleted campaigns and those of another workspace are not listed", async () => {
  const bob = await makeTestScope("bob");
  expect(await list({}, bob)).toEqual([]);
  expect(await findCampaignNames(bob, "")).toEqual([]);
  const id = await newCampaign("Short-lived", bob);
  expect(await list({}, bob)).toHaveLength(1);
  expect(await findCampaignNames(bob, "LIVED")).toEqual([{ id, name: "Short-lived" }]);
  await deleteCampaign(bob, id);
  expect(await list({}, bob)).toEqual([]);
  expect(await findCampaignNames(bob, "")).toEqual([]);
});

test("members see their own campaigns, owners all", async () => {
  const member = await joinTestScope(ada, "member", "member");
  expect(await findCampaignNames(member, "")).toEqual([]);
  const id = await newCampaign("Of the member", member);
  expect((await list({}, member)).map((one) => one.id)).toEqual([id]);
  expect(await findCampaignNames(member, "")).toEqual([{ id, name: "Of the member" }]);
  expect((await list({ search: "Of the member" })).map((one) => one.id)).toEqual([id]);
});

test("as many names are offered as a menu shows", async () => {
  const eve = await makeTestScope("eve");
  await query(sql`
    INSERT INTO campaign (
      id, workspace_pk, user_pk, name, kind, link_scheme, default_country, columns, variants,
      destination, link, people_days
    )
    SELECT 'camp_of_eve_' || at, ${eve.workspacePk}, ${eve.userPk}, 'Campaign ' || at, 'service',
      true, 'CN', '[]', '[]', 'https://example.com/', '{}', 180
    FROM generate_series(1, ${namesMax + 1}::int) AS at`);
  const names = await findCampaignNames(eve, "campaign");
  expect(names).toHaveLength(namesMax);
  expect(names[0]?.name).toBe(`Campaign ${namesMax + 1}`);
});

test("a page has at most 100 campaigns, and a search at most 100 characters", () => {
  const fits = (filter: object) => listOverviewQuery.safeParse(filter).success;
  expect(fits({ pageSize: 100, search: "x".repeat(100) })).toBe(true);
  expect(fits({ pageSize: 101 })).toBe(false);
  expect(fits({ search: "x".repeat(101) })).toBe(false);
  expect(searchNames.safeParse("x".repeat(100)).success).toBe(true);
  expect(searchNames.safeParse("x".repeat(101)).success).toBe(false);
});
