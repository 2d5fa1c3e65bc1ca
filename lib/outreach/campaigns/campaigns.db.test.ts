/** Campaigns: what they accept, who sees them, and how they change. */
import { beforeAll, describe, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { campaignBody } from "../../../test/campaigns.ts";
import { list } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  addRecipients,
  createCampaign,
  deleteCampaign,
  editCampaign,
  getCampaign,
  getCampaignStatus,
  listCampaigns,
  listRecipients,
} from "./index.ts";
import { createCampaignBody, listRecipientsQuery } from "./schema.ts";
import { tendCampaigns } from "./upkeep.ts";

openTestStores();

let ada: WorkspaceScope;
let bob: WorkspaceScope;
let member: WorkspaceScope;
let viewer: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
  member = await joinTestScope(ada, "member", "member");
  viewer = await joinTestScope(ada, "viewer", "viewer");
});

const row = { messageId: "m1", phone: "13800138000", columns: { name: "Li" } };

describe("a create", () => {
  test("returns the campaign with its defaults and warnings", async () => {
    const created = await createCampaign(ada, campaignBody({ template: "Hi {name}: {link}!" }));
    expect(created).toMatchObject({
      kind: "service",
      linkScheme: true,
      personalDataDays: 180,
      variants: [{ name: "A", template: "Hi {name}: {link}!", percentage: 100 }],
      columns: [
        { name: "name", personal: true },
        { name: "coupon", personal: false },
      ],
      recipients: 0,
      refused: 0,
    });
    expect(created.warnings.map(({ code }) => code)).toEqual(["no_space", "shared_domain"]);
    expect(await getCampaign(ada, created.id)).toEqual(created);
  });

  test("takes {optout} in every message instead of an opt-out text", async () => {
    const consent = { senderName: "F", consentSource: "Shop", consentOn: "2026-01-31" };
    const body = { ...consent, kind: "marketing" as const, template: "{link} stop: {optout}" };
    expect(await createCampaign(ada, campaignBody(body))).toMatchObject({ optOutText: null });
    const halves = [
      { name: "A", template: body.template, percentage: 50 },
      { name: "B", template: "{link} stop: {{optout}}", percentage: 50 },
    ];
    const half = campaignBody({ ...body, template: undefined, variants: halves });
    await expect(createCampaign(ada, half)).rejects.toThrow("{optout} in every message");
  });

  test.each([
    [
      "a marketing message without consent",
      { kind: "marketing", senderName: "F", optOutText: "S" },
    ],
    ["an unknown placeholder", { template: "{nobody} {link}" }],
    ["a personal column in the destination", { destination: "https://example.com/{name}" }],
    ["a column that is there twice", { columns: [{ name: "a" }, { name: "a" }] }],
    ["a reserved column", { columns: [{ name: "link" }] }],
    ["an unknown country", { defaultCountry: "XX" }],
    ["an unknown domain", { domain: "nobody.example" }],
    ["an unknown folder", { folderId: "fold_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }],
    ["percentages that are not 100", { template: undefined, variants: variants(50, 49) }],
    ["a template and variants", { variants: variants(50, 50) }],
    ["no template", { template: undefined }],
  ])("refuses %s", async (_, change) => {
    await expect(createCampaign(ada, campaignBody(change))).rejects.toMatchObject({
      code: "unprocessable_entity",
    });
  });

  test("says everything that is wrong, but first whether the actor may create campaigns", async () => {
    const wrong = campaignBody({ kind: "marketing", template: "{nobody}", defaultCountry: "XX" });
    const fields = ["template", "senderName", "optOutText", "consentSource", "consentOn"];
    const error = await createCampaign(ada, wrong).catch((reason: unknown) => reason);
    expect(Object.keys(Object(error).fields).sort()).toEqual([...fields, "defaultCountry"].sort());
    await expect(createCampaign(viewer, wrong)).rejects.toMatchObject({ code: "forbidden" });
  });

  test("accepts as many columns, variants and characters as documented, and no more", () => {
    const accepts = (change: object) =>
      createCampaignBody.safeParse({ ...campaignBody(), ...change }).success;
    const columns = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `c${at}` }));
    expect([accepts({ columns: columns(50) }), accepts({ columns: columns(51) })]).toEqual([
      true,
      false,
    ]);
    const many = (count: number) => variants(...Array.from({ length: count }, () => 1));
    expect([accepts({ variants: many(5) }), accepts({ variants: many(6) })]).toEqual([true, false]);
    const text = (chars: number) => ({ template: "x".repeat(chars) });
    expect([accepts(text(2_000)), accepts(text(2_001))]).toEqual([true, false]);
    const days = (personalDataDays: number) => ({ personalDataDays });
    expect([0, 1, 1_095, 1_096].map((count) => accepts(days(count)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

function variants(...percentages: number[]) {
  return percentages.map((percentage, at) => {
    return { name: `V${at}`, template: `V${at} {link}`, percentage };
  });
}

describe("access", () => {
  test("a campaign of another workspace is like one that does not exist", async () => {
    const { id } = await createCampaign(ada, campaignBody());
    const missing = "camp_01KAYV5M3EJ2Q4R8ZC7D0N6XWB";
    const query = listRecipientsQuery.parse({});
    for (const call of [
      (of: string) => getCampaign(bob, of),
      (of: string) => editCampaign(bob, of, { name: "Mine" }),
      (of: string) => deleteCampaign(bob, of),
      (of: string) => addRecipients(bob, of, [row]),
      (of: string) => listRecipients(bob, of, query),
      (of: string) => getCampaignStatus(bob, of),
    ]) {
      const message = (of: string) => `Campaign "${of}" not found in this workspace.`;
      await expect(call(id)).rejects.toThrow(message(id));
      await expect(call(missing)).rejects.toThrow(message(missing));
    }
    expect(await listCampaigns(bob, { pageSize: 100 })).toEqual([]);
    expect(await list(bob, { campaignId: id })).toEqual([]);
  });

  test("members see and change their own campaigns, admins all, viewers change none", async () => {
    const own = await createCampaign(member, campaignBody({ name: "Own" }));
    const other = await createCampaign(ada, campaignBody({ name: "Other" }));
    const names = async (scope: WorkspaceScope) =>
      (await listCampaigns(scope, { pageSize: 100 })).map(({ name }) => name);
    expect(await names(member)).toEqual(["Own"]);
    expect(await names(ada)).toEqual(expect.arrayContaining(["Own", "Other"]));
    await expect(getCampaign(member, other.id)).rejects.toThrow("not found");
    expect((await getCampaign(ada, own.id)).name).toBe("Own");
    await expect(createCampaign(viewer, campaignBody())).rejects.toThrow("campaigns.write");
    await expect(addRecipients(viewer, own.id, [row])).rejects.toThrow("campaigns.write");
  });

  test("the links of a campaign are listed for those who see it", async () => {
    const { id } = await createCampaign(ada, campaignBody());
    const [made] = await addRecipients(ada, id, [row]);
    if (made?.status !== "ready") throw new Error("The row was refused");
    const links = await list(ada, { campaignId: id });
    expect(links.map((link) => [link.id, link.externalId])).toEqual([
      [made.linkId, made.recipientId],
    ]);
    expect(await list(member, { campaignId: id })).toEqual([]);
  });
});

describe("an edit", () => {
  test("changes fields before the first recipient, and is recorded", async () => {
    const { id } = await createCampaign(ada, campaignBody({ utm_source: "sms" }));
    const edited = await editCampaign(ada, id, {
      name: "Renamed",
      template: "New {link}",
      utm_source: null,
      utm_medium: "text",
      linkDays: 7,
    });
    expect(edited).toMatchObject({ name: "Renamed", linkDays: 7, link: { utm_medium: "text" } });
    expect(edited.link).not.toHaveProperty("utm_source");
    await editCampaign(ada, id, { name: "Renamed" });
    const entries = await listAudit(ada, { pageSize: 100, subject: id });
    expect(entries.map(({ action }) => action)).toEqual(["campaign.edit", "campaign.create"]);
  });

  test("changes only name and days once there are recipients", async () => {
    const { id } = await createCampaign(ada, campaignBody());
    await addRecipients(ada, id, [row]);
    await expect(editCampaign(ada, id, { template: "New {link}" })).rejects.toMatchObject({
      code: "conflict",
    });
    const edited = await editCampaign(ada, id, { name: "New", personalDataDays: 5 });
    expect(edited).toMatchObject({ name: "New", personalDataDays: 5 });
  });
});

describe("a delete", () => {
  test("ends the campaign at once; its rows follow in steps, and its links keep working", async () => {
    const { id } = await createCampaign(ada, campaignBody());
    const rows = Array.from({ length: 5 }, (_, at) => {
      return { ...row, messageId: `d${at}`, phone: `1380013800${at}` };
    });
    const results = await addRecipients(ada, id, rows);
    expect(await deleteCampaign(ada, id)).toEqual({ id });
    await expect(getCampaign(ada, id)).rejects.toThrow("not found");
    await expect(addRecipients(ada, id, rows)).rejects.toThrow("not found");
    await tendCampaigns(2);
    await tendCampaigns(2);
    const left = await query(sql`
      SELECT 1 FROM campaign WHERE id = ${id}
      UNION ALL
      SELECT 1 FROM campaign_recipient WHERE message_id LIKE 'd_'`);
    expect(left).toEqual([]);
    const ids = results.flatMap((one) => (one.status === "ready" ? [one.linkId] : []));
    const links = await list(ada, {});
    expect(links.map((link) => link.id)).toEqual(expect.arrayContaining(ids));
    expect(ids).toHaveLength(5);
  });
});
