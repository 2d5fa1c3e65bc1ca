import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import {
  addRecipients,
  createCampaign,
  exportMessages,
  getCampaign,
  listRecipients,
} from "#lib/outreach/campaigns";
import { exportMessagesQuery, listRecipientsQuery } from "#lib/outreach/campaigns/schema";
import { addOptOuts } from "#lib/outreach/opt-outs";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import { list } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { textOf } from "../../../test/sent-file.ts";
import { fileOfRecipients, uploadText } from "../../../test/sources.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  addAudience,
  cancelSource,
  changeSource,
  getRecipientSource,
  listRecipientSources,
  openRefusedRows,
  pauseSource,
  previewSource,
  runSource,
  startSource,
  undoSource,
} from "./index.ts";
import { sweepSources } from "./jobs.ts";
import { previewRows, sourcesMax } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let bob: WorkspaceScope;
const all = listRecipientsQuery.parse({});

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
});

async function newCampaign(scope = ada, change = {}): Promise<string> {
  return (await createCampaign(scope, campaignBody(change))).id;
}

/** As the worker does, but in this process. */
async function run(scope: WorkspaceScope, id: string) {
  await startSource(scope, id);
  await runSource(id);
  return await getRecipientSource(scope, id);
}

async function filesOf(id: string): Promise<string[]> {
  const names = await readdir(join(config().FUXI_DATA_DIR, "recipients")).catch(() => []);
  return names.filter((name) => name.startsWith(id));
}

const mixed = [
  "Full name;Mobile;coupon",
  "Ann;13812340001;A1",
  "Bo;not a phone;A2",
  "Cy;13812340003;A3",
  "Di;13812340001;A4",
  "Ed;13812340005;",
].join("\n");

test("a file is uploaded, previewed, and each row becomes a recipient or a reason, twice too", async () => {
  const campaign = await newCampaign(ada, {
    template: "Hi {name|you}, {coupon} {link} now",
  });
  const { id, mapping, heading, rows } = await uploadText(ada, campaign, mixed);
  expect({ mapping, heading, rows }).toEqual({
    heading: true,
    rows: 5,
    mapping: { phone: 1, messageId: null, columns: { coupon: 2 } },
  });
  await changeSource(ada, id, {
    mapping: { phone: 1, messageId: null, columns: { name: 0, coupon: 2 } },
  });
  const preview = await previewSource(ada, id);
  expect(preview.columns[1]).toMatchObject({
    name: "Mobile",
    samples: expect.arrayContaining(["13812340001"]),
  });
  expect(preview.rows.map(({ line, code }) => [line, code])).toEqual([
    [2, null],
    [3, "phone_invalid"],
    [4, null],
    [5, "phone_duplicate"],
    [6, "column_missing"],
  ]);
  expect(preview.rows[0]?.text).toMatch(/^Hi Ann, A1 http/);
  expect(await listRecipients(ada, campaign, all)).toEqual([]);
  const done = await run(ada, id);
  expect(done).toMatchObject({ state: "done", done: 5, added: 2, refused: 3 });
  await runSource(id);
  expect(await getRecipientSource(ada, id)).toEqual(done);
  const ready = await listRecipients(ada, campaign, { ...all, status: "ready" });
  expect(ready.map(({ phone, columns }) => [phone, columns])).toEqual([
    ["+8613812340001", { name: "Ann", coupon: "A1" }],
    ["+8613812340003", { name: "Cy", coupon: "A3" }],
  ]);
  expect(await getCampaign(ada, campaign)).toMatchObject({ recipients: 2, refused: 3 });
});

test("refused rows are downloaded with their reason, mended, and replace what was refused", async () => {
  const campaign = await newCampaign(ada, {
    columns: [{ name: "Full name" }],
    template: "{link} now",
  });
  const { id } = await uploadText(ada, campaign, mixed);
  await run(ada, id);
  const refused = await textOf(await openRefusedRows(ada, id));
  const lines = refused.trim().split("\r\n");
  expect(lines[0]).toBe("Full name,Mobile,coupon,Message ID,Line,Reason");
  expect(lines.slice(1).map((line) => line.split(",").slice(0, 3))).toEqual([
    ["Bo", "not a phone", "A2"],
    ["Di", "13812340001", "A4"],
  ]);
  expect(lines[1]).toContain("valid phone number");
  const mended = refused
    .replace("not a phone", "13812340002")
    .replace("13812340001", "13812340004");
  const again = await uploadText(ada, campaign, mended);
  expect(again.mapping).toEqual({ phone: 1, messageId: 3, columns: { "Full name": 0 } });
  expect(await run(ada, again.id)).toMatchObject({ added: 2, refused: 0 });
  expect(await getCampaign(ada, campaign)).toMatchObject({ recipients: 5, refused: 0 });
  // Nothing is left to download, so the file is gone.
  expect(await filesOf(again.id)).toEqual([]);
  await expect(openRefusedRows(ada, again.id)).rejects.toMatchObject({ code: "conflict" });
});

test("phones of a file are nowhere on disk in the clear, and in no table", async () => {
  const campaign = await newCampaign();
  const { id } = await uploadText(ada, campaign, "name,phone\nZhuge,13877665544\nNo,1387766\n");
  const look = async () => {
    const folder = join(config().FUXI_DATA_DIR, "recipients");
    const names = await readdir(folder);
    expect(names).not.toEqual([]);
    for (const name of names)
      expect(await readFile(join(folder, name), "latin1")).not.toMatch(/1387766|Zhuge/);
    const tables = await query<{ text: string }>(sql`
      SELECT source::text || coalesce(string_agg(chunk::text, ''), '') AS text
      FROM recipient_source AS source
      LEFT JOIN recipient_source_chunk AS chunk ON chunk.source_pk = source.pk
      GROUP BY source.*`);
    expect(tables.map(({ text }) => text).join()).not.toMatch(/1387766|Zhuge/);
  };
  await look();
  await run(ada, id);
  await look();
});

test("without people.view, phones of a preview are masked, and samples and texts are hidden", async () => {
  const member = await joinTestScope(ada, "sources-member", "member");
  const campaign = await newCampaign(member);
  const { id } = await uploadText(member, campaign, fileOfRecipients(2));
  const preview = await previewSource(member, id);
  expect(JSON.stringify(preview)).not.toContain("13810000000");
  expect(preview.rows[0]).toMatchObject({ phone: "+86 **** 00", text: null, parts: 1 });
  await run(member, id);
  await expect(openRefusedRows(member, id)).rejects.toThrow("people.view");
});

test("without people.view, a preview does not tell which phones have opted out", async () => {
  const member = await joinTestScope(ada, "sources-blind", "member");
  await addOptOuts(ada, { phones: ["+8613810000000"] });
  const codeOf = async (scope: WorkspaceScope) => {
    const { id } = await uploadText(scope, await newCampaign(scope), fileOfRecipients(2));
    return (await previewSource(scope, id)).rows[0]?.code;
  };
  expect(await codeOf(member)).toBeNull();
  expect(await codeOf(ada)).toBe("opted_out");
});

test("a source of another workspace or member answers like a missing one", async () => {
  const campaign = await newCampaign();
  const { id } = await uploadText(ada, campaign, fileOfRecipients(2));
  const member = await joinTestScope(ada, "sources-other", "member");
  for (const scope of [bob, member]) {
    await expect(getRecipientSource(scope, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(startSource(scope, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(listRecipientSources(scope, campaign, { pageSize: 9 })).rejects.toMatchObject({
      code: "not_found",
    });
  }
  const viewer = await joinTestScope(ada, "sources-viewer", "viewer");
  await expect(uploadText(viewer, campaign, fileOfRecipients(2))).rejects.toMatchObject({
    code: "forbidden",
  });
});

test("a source that is paused continues where it stopped, and a canceled one adds nothing more", async () => {
  const rows = 12_000;
  const campaign = await newCampaign();
  const { id } = await uploadText(ada, campaign, fileOfRecipients(rows, 100));
  await startSource(ada, id);
  const running = runSource(id);
  const end = Date.now() + 20_000;
  while ((await getRecipientSource(ada, id)).done === 0 && Date.now() < end);
  await pauseSource(ada, id);
  await running;
  const paused = await getRecipientSource(ada, id);
  const { recipients } = await getCampaign(ada, campaign);
  expect(paused.state).toBe("paused");
  expect(recipients).toBeGreaterThan(0);
  expect(recipients).toBeLessThan(rows);
  await runSource(id);
  expect((await getCampaign(ada, campaign)).recipients).toBe(recipients);
  expect(await run(ada, id)).toMatchObject({ state: "done", done: rows, added: rows });
  expect((await getCampaign(ada, campaign)).recipients).toBe(rows);
  const other = await uploadText(ada, campaign, fileOfRecipients(10, 90_000));
  expect(await cancelSource(ada, other.id)).toMatchObject({ state: "cancelled" });
  await runSource(other.id);
  await expect(startSource(ada, other.id)).rejects.toMatchObject({ code: "conflict" });
  expect((await getCampaign(ada, campaign)).recipients).toBe(rows);
  expect(await filesOf(other.id)).toEqual([]);
});

test("a source with refused rows, and one that failed, notify who started it once; others don’t", async () => {
  const eve = await makeTestScope("eve-notified");
  const campaign = await newCampaign(eve);
  const good = await uploadText(eve, campaign, fileOfRecipients(1, 700_000));
  await run(eve, good.id);
  await undoSource(eve, good.id);
  await runSource(good.id);
  expect(await listNotifications(eve)).toEqual([]);
  const bad = await uploadText(eve, campaign, `${fileOfRecipients(1, 700_010)}X,y\n`);
  await run(eve, bad.id);
  await runSource(bad.id);
  const refused = { kind: "recipients.refused", subject: campaign, details: { refused: 1 } };
  expect(await listNotifications(eve)).toMatchObject([refused]);
  const failing = await uploadText(eve, campaign, fileOfRecipients(1, 700_020));
  await startSource(eve, failing.id);
  await query(sql`UPDATE recipient_source SET attempts = 1000 WHERE id = ${failing.id}`);
  await runSource(failing.id);
  await runSource(failing.id);
  expect((await getRecipientSource(eve, failing.id)).state).toBe("failed");
  const failed = { kind: "recipients.failed", subject: campaign };
  expect(await listNotifications(eve)).toMatchObject([failed, refused]);
});

test("an undo deletes exactly the recipients and links of the source, twice too, until the first click", async () => {
  const campaign = await newCampaign();
  await addRecipients(ada, campaign, recipientRows(2, 700));
  const links = (await list(ada, {})).length;
  const { id } = await uploadText(ada, campaign, `${fileOfRecipients(1_200, 20_000)}X,y\n`);
  await run(ada, id);
  const [first] = await listRecipients(ada, campaign, { ...all, startingAfter: 2 });
  const [sent] = await query<{ link_pk: number }>(
    sql`SELECT link_pk FROM campaign_recipient WHERE message_id = ${first?.messageId}`,
  );
  const click = (clicks: number) =>
    query(sql`
      INSERT INTO link_stat (link_pk, workspace_pk, clicks)
      VALUES (${sent?.link_pk}, ${ada.workspacePk}, ${clicks})
      ON CONFLICT (link_pk) DO UPDATE SET clicks = EXCLUDED.clicks`);
  await click(1);
  await expect(undoSource(ada, id)).rejects.toThrow("has already clicked");
  await click(0);
  await undoSource(ada, id);
  await runSource(id);
  await runSource(id);
  expect(await getRecipientSource(ada, id)).toMatchObject({ state: "undone" });
  expect(await getCampaign(ada, campaign)).toMatchObject({ recipients: 2, refused: 0 });
  expect((await list(ada, {})).length).toBe(links);
  await expect(undoSource(ada, id)).rejects.toMatchObject({ code: "conflict" });
});

test("recipients who clicked another campaign, or did not, or all, get a message unless they opted out", async () => {
  const dora = await makeTestScope("dora");
  const from = await newCampaign(dora);
  await addRecipients(dora, from, recipientRows(6, 300));
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks)
    SELECT link_pk, workspace_pk, 1 FROM campaign_recipient
    WHERE workspace_pk = ${dora.workspacePk} AND message_id IN ('m-301', 'm-304')
    ON CONFLICT (link_pk) DO UPDATE SET clicks = 1`);
  await addOptOuts(dora, { phones: ["+8613810000304"] });
  const added = async (audience: "all" | "clicked" | "not_clicked") => {
    const campaign = await newCampaign(dora, { template: "Again, {name}: {link} now" });
    const { id, rows } = await addAudience(dora, campaign, { campaignId: from, audience });
    const done = await run(dora, id);
    const ready = await listRecipients(dora, campaign, { ...all, status: "ready" });
    return {
      rows,
      done: done.done,
      refused: done.refused,
      names: ready.map(({ columns }) => columns?.["name"]),
    };
  };
  const names = (...numbers: number[]) => numbers.map((number) => `Person ${number}`);
  expect(await added("clicked")).toEqual({ rows: 2, done: 2, refused: 1, names: names(301) });
  expect(await added("not_clicked")).toMatchObject({ rows: 4, names: names(300, 302, 303, 305) });
  expect(await added("all")).toMatchObject({
    rows: 6,
    refused: 1,
    names: names(300, 301, 302, 303, 305),
  });
  await expect(
    addAudience(bob, await newCampaign(bob), { campaignId: from, audience: "all" }),
  ).rejects.toMatchObject({ code: "not_found" });
  await expect(addAudience(dora, from, { campaignId: from, audience: "all" })).rejects.toThrow(
    "Choose another campaign",
  );
});

/** Bans the workspace when a worker has just taken one of its sources. */
async function banOnTake(workspacePk: number): Promise<void> {
  const text = `
    CREATE FUNCTION ban_on_take() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE workspace SET banned_at = now() WHERE pk = ${workspacePk};
      RETURN NEW;
    END $$`;
  await query({ text, values: [] });
  await query(sql`
    CREATE TRIGGER ban_on_take AFTER UPDATE ON recipient_source
    FOR EACH ROW WHEN (NEW.state = 'running' AND OLD.state = 'waiting')
    EXECUTE FUNCTION ban_on_take()`);
}

test("a source waits while its workspace is banned, also in the middle of its rows, and continues after that", async () => {
  const fay = await makeTestScope("fay");
  const from = await newCampaign(fay);
  await addRecipients(fay, from, recipientRows(6, 400));
  const campaign = await newCampaign(fay);
  const { id } = await addAudience(fay, campaign, { campaignId: from, audience: "all" });
  await startSource(fay, id);
  const ban = (isBanned: boolean) =>
    query(sql`
      UPDATE workspace SET banned_at = CASE WHEN ${isBanned}::boolean THEN now() END
      WHERE pk = ${fay.workspacePk}`);
  await ban(true);
  await runSource(id);
  expect(await getRecipientSource(fay, id)).toMatchObject({ state: "waiting", done: 0 });
  await ban(false);
  await banOnTake(fay.workspacePk);
  await expect(runSource(id)).rejects.toThrow("banned by an administrator");
  await query(sql`DROP FUNCTION ban_on_take CASCADE`);
  expect(await getRecipientSource(fay, id)).toMatchObject({ state: "waiting", done: 0 });
  await ban(false);
  await runSource(id);
  expect(await getRecipientSource(fay, id)).toMatchObject({ state: "done", added: 6 });
});

test("recipients of another campaign are encrypted again for their own row", async () => {
  const from = await newCampaign(bob);
  await addRecipients(bob, from, recipientRows(1, 50));
  const campaign = await newCampaign(bob);
  const { id } = await addAudience(bob, campaign, { campaignId: from, audience: "all" });
  await run(bob, id);
  const rows = await query<{ sealed: Buffer }>(sql`
    SELECT sealed FROM campaign_recipient WHERE workspace_pk = ${bob.workspacePk}`);
  expect(rows).toHaveLength(2);
  expect(rows[0]?.sealed.equals(rows[1]?.sealed ?? Buffer.alloc(0))).toBe(false);
});

test("messages are exported in the order of the file", async () => {
  const campaign = await newCampaign(bob);
  const { id } = await uploadText(bob, campaign, fileOfRecipients(5_500, 30_000));
  await run(bob, id);
  const csv = await textOf(await exportMessages(bob, campaign, exportMessagesQuery.parse({})));
  const phones = csv
    .trim()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(",")[1]);
  expect(phones).toEqual(Array.from({ length: 5_500 }, (_, at) => `86138${10_030_000 + at}`));
});

test("where the file is gone, a preview is a 409 and a start fails, with what to do", async () => {
  const campaign = await newCampaign();
  const { id } = await uploadText(ada, campaign, fileOfRecipients(2, 70_000));
  await rm(join(config().FUXI_DATA_DIR, "recipients", `${id}.rows`));
  const problem = "The file was deleted. Upload it again.";
  await expect(previewSource(ada, id)).rejects.toMatchObject({
    code: "conflict",
    message: problem,
  });
  expect(await run(ada, id)).toMatchObject({ state: "failed", problem });
});

test(`a preview tries ${previewRows} rows`, async () => {
  const campaign = await newCampaign();
  for (const count of [previewRows, previewRows + 1]) {
    const { id } = await uploadText(ada, campaign, fileOfRecipients(count, 50_000));
    expect((await previewSource(ada, id)).rows).toHaveLength(previewRows);
  }
});

test("columns are checked, and a file without a phone column does not start", async () => {
  const campaign = await newCampaign();
  const { id } = await uploadText(ada, campaign, "a,b\nc,d\n");
  const change = (mapping: object) =>
    changeSource(ada, id, {
      mapping: { phone: 0, messageId: null, columns: {}, ...mapping },
    });
  await expect(change({ phone: 2 })).rejects.toThrow("no column 2");
  await expect(change({ messageId: 0 })).rejects.toThrow("another column");
  await expect(change({ columns: { other: 1 } })).rejects.toThrow("no column other");
  await change({ phone: null });
  expect((await previewSource(ada, id)).obstacle).toMatch("Choose the column");
  await expect(startSource(ada, id)).rejects.toThrow("Choose the column");
});

test(`a workspace keeps ${sourcesMax} sources, which expire with their files`, async () => {
  const eve = await makeTestScope("eve");
  const campaign = await newCampaign(eve);
  const { id } = await uploadText(eve, campaign, fileOfRecipients(1));
  await query(sql`
    INSERT INTO recipient_source (id, campaign_pk, workspace_pk, user_pk, name, audience, records, state)
    SELECT 'src_' || n, campaign_pk, workspace_pk, user_pk, 'S', 'all', 1, 'ready'
    FROM recipient_source, generate_series(3, ${sourcesMax}) AS n
    WHERE id = ${id}`);
  const last = await uploadText(eve, campaign, fileOfRecipients(1));
  await expect(uploadText(eve, campaign, fileOfRecipients(1))).rejects.toMatchObject({
    code: "conflict",
  });
  const later = Date.now() + 7 * 3_600_000;
  await sweepSources(later);
  expect(await filesOf(id)).toHaveLength(1);
  const age = (hours: number) =>
    query(sql`
      UPDATE recipient_source
      SET created_at = now() - ${hours} * interval '1 hour'
      WHERE id = ${id}`);
  await age(14 * 24 - 1);
  await sweepSources(later);
  expect(await filesOf(id)).toHaveLength(1);
  await age(14 * 24 + 1);
  await sweepSources(later);
  expect(await filesOf(id)).toEqual([]);
  expect(await filesOf(last.id)).toHaveLength(1);
  await expect(getRecipientSource(eve, id)).rejects.toMatchObject({ code: "not_found" });
});
