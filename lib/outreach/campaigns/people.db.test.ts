/** The data of people: where it is, who sees it, and how it ends. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openLinks } from "#lib/links/creating";
import { deleteLinksInBulk } from "#lib/links/editing";
import { erasePerson } from "#lib/outreach/erasing";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { addOptOuts, checkOptOuts, listOptOuts } from "#lib/outreach/opt-outs";
import { getSending, resumeCampaign, sendDue, startSending } from "#lib/outreach/sending";
import { budgets, takeAmount } from "#lib/platform/limits";
import { log } from "#lib/platform/log";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { listRotated, openPeopleKeys, rotatePeopleKeys } from "#lib/tenancy/people-keys";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import { list } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { findInFiles, findInRedis, findInTables } from "../../../test/searching.ts";
import { textOf } from "../../../test/sent-file.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  addRecipients,
  createCampaign,
  exportMessages,
  exportRecipients,
  getCampaign,
  listRecipients,
} from "./index.ts";
import { exportMessagesQuery, exportRecipientsQuery, listRecipientsQuery } from "./schema.ts";
import { tendCampaigns } from "./upkeep.ts";

openTestStores({ FUXI_FETCH: "loopback" });

/** A gateway that refuses everything, and repeats what it got. */
const echo = { url: "", status: 401, bodies: [] as string[], server: createServer() };

let ada: WorkspaceScope;
let bob: WorkspaceScope;
const phone = "+8613812345678";
const digits = "13812345678";
const name = "Zhuge Kongming";
const columns = { name };
const all = listRecipientsQuery.parse({});

beforeAll(async () => {
  echo.server.on("request", (req, res) => {
    let body = "";
    req.on("data", (part) => {
      body += part;
    });
    req.on("end", () => {
      echo.bodies.push(decodeURIComponent(body));
      res.writeHead(echo.status);
      res.end(decodeURIComponent(body));
    });
  });
  await new Promise<void>((resolve) => echo.server.listen(0, "127.0.0.1", resolve));
  echo.url = `http://127.0.0.1:${(echo.server.address() as AddressInfo).port}/`;
  await openLinks();
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
});

afterAll(() => new Promise((resolve) => echo.server.close(resolve)));

async function addPerson(scope: WorkspaceScope, messageId = "m"): Promise<string> {
  const { id } = await createCampaign(scope, campaignBody());
  const [result] = await addRecipients(scope, id, [{ messageId, phone, columns }]);
  expect(result?.status).toBe("ready");
  return id;
}

const logMethods = ["trace", "debug", "info", "warn", "error", "fatal"] as const;

/** Sends a campaign with a gateway that repeats the phone and the text in its refusals. Returns what was logged. */
async function sendTo(id: string): Promise<string> {
  const logged: unknown[] = [];
  for (const method of logMethods) {
    vi.spyOn(log, method).mockImplementation((...given: unknown[]) => void logged.push(given));
  }
  const settings = { kind: "http", url: echo.url, format: "form", body: "to={phone}&text={text}" };
  const body = { name: "Echo", secret: "x", settings };
  const gateway = await createGateway(ada, createGatewayBody.parse(body));
  await startSending(ada, id, { gatewayId: gateway.id, rate: 500 });
  while (await sendDue());
  expect((await getSending(ada, id)).state).toBe("paused");
  echo.status = 422;
  await resumeCampaign(ada, id);
  while (await sendDue());
  expect((await getSending(ada, id)).counts.refused).toBeGreaterThan(0);
  vi.restoreAllMocks();
  return JSON.stringify(logged);
}

test("a phone and a name are in no table, no key or value of Redis, no file, and no log", async () => {
  const id = await addPerson(ada);
  await addOptOuts(ada, { phones: ["+8613887654321"] });
  await addRecipients(ada, id, [
    { messageId: "r1", phone, columns },
    { messageId: "r2", phone: "+8613887654321", columns },
    { messageId: digits, phone: "x", columns },
  ]);
  const texts = [digits, "13887654321", "8123 4567", name];
  const logged = await sendTo(id);
  expect(echo.bodies.join()).toContain(digits);
  expect(logged).toContain("sending.paused");
  expect(texts.filter((text) => logged.includes(text))).toEqual([]);
  expect(await findInTables(["Autumn"])).not.toEqual([]);
  expect(await findInTables(texts)).toEqual([]);
  expect(await findInRedis(texts)).toEqual([]);
  expect(await findInFiles(texts)).toEqual([]);
});

test("without the permission a phone is masked, and columns and text are hidden", async () => {
  const member = await joinTestScope(ada, "member", "member");
  const id = await addPerson(member);
  const [hidden] = await listRecipients(member, id, all);
  expect(hidden).toMatchObject({ phone: "+86 **** 78", columns: null, text: null });
  expect(JSON.stringify(hidden)).not.toContain(digits);
  const [seen] = await listRecipients(ada, id, all);
  expect(seen).toMatchObject({ phone, columns });
  expect(seen?.text).toBe(`Hi ${name}, ${seen?.shortLink} now`);
});

test("an erased person is in no campaign, has no links, and stays opted out", async () => {
  const ids = [await addPerson(ada), await addPerson(ada)];
  const others = await addPerson(bob);
  await addOptOuts(ada, { phones: [phone] });
  const before = await list(ada, {});
  const erased = await erasePerson(ada, { phone: digits, country: "CN" });
  expect(erased.recipients).toBeGreaterThanOrEqual(2);
  expect(erased.links).toBe(erased.recipients);
  for (const id of ids) {
    expect(await listRecipients(ada, id, all)).toEqual([]);
    expect(await getCampaign(ada, id)).toMatchObject({ recipients: 0 });
  }
  expect((await list(ada, {})).length).toBe(before.length - erased.links);
  expect((await checkOptOuts(ada, { phones: [phone] })).optedOut).toHaveLength(1);
  const [optOut] = await listOptOuts(ada, { pageSize: 1 });
  expect(optOut?.phone).toBeNull();
  const [row] = await query<{ sealed: Buffer | null; hash: Buffer }>(sql`
    SELECT sealed, phone_hash AS hash FROM opt_out WHERE id = ${optOut?.id}`);
  expect(row).toMatchObject({ sealed: null });
  expect(row?.hash).toEqual((await openPeopleKeys(ada.workspacePk)).hash(phone));
  // Another workspace is not affected.
  expect(await listRecipients(bob, others, all)).toHaveLength(1);
  expect(await erasePerson(ada, { phone })).toEqual({ recipients: 0, contacts: 0, links: 0 });
});

test("a key that sees masks only has a budget of rows that tell about a phone, and others have none", async () => {
  const gail = await makeTestScope("gail");
  const seeing = [...gail.permissions].filter((one) => one !== "people.view");
  const blind = { ...gail, permissions: new Set(seeing) };
  const id = await addPerson(gail);
  const [known] = await listRecipients(blind, id, all);
  const guess = (number: number) => ({
    messageId: String(known?.messageId),
    phone: `+8613800138${String(number).padStart(3, "0")}`,
    columns,
  });
  const { max } = budgets.tellingRowsPerActor;
  const subject = `${gail.workspacePk} ${gail.actor}`;
  expect(await takeAmount("tellingRowsPerActor", subject, max - 2)).toBe(0);
  const tried = await addRecipients(blind, id, [guess(1), guess(2)]);
  expect(tried.map((one) => "code" in one && one.code)).toEqual([
    "message_differs",
    "message_differs",
  ]);
  const refused = { code: "rate_limit_exceeded" };
  await expect(addRecipients(blind, id, [guess(3)])).rejects.toMatchObject(refused);
  await addOptOuts(gail, { phones: ["+8613800138004"] });
  const optedOut = { ...guess(4), messageId: "other" };
  await expect(addRecipients(blind, id, [optedOut])).rejects.toMatchObject(refused);
  expect(await addRecipients(blind, id, [{ ...guess(5), messageId: "new" }])).toMatchObject([
    { status: "ready" },
  ]);
  expect(await addRecipients(gail, id, [guess(3)])).toMatchObject([{ code: "message_differs" }]);
});

test("only who may see people erases one: campaigns of others have the phone too", async () => {
  const finn = await makeTestScope("finn");
  const member = await joinTestScope(finn, "finn-member", "member");
  const id = await addPerson(finn);
  await expect(erasePerson(member, { phone })).rejects.toThrow("people.view");
  expect(await listRecipients(finn, id, all)).toHaveLength(1);
});

test("a person stays where a link cannot be deleted", async () => {
  const carl = await makeTestScope("carl");
  const member = await joinTestScope(carl, "carl-member", "member");
  // Like a key that sees people, and not all folders.
  const permissions = new Set([...member.permissions, "people.view" as const]);
  const id = await addPerson(carl);
  await query(sql`
    INSERT INTO folder (id, workspace_pk, name, access_level)
    VALUES ('fold_01KAYV5M3EJ2Q4R8ZC7D0N6XWB', ${carl.workspacePk}, 'Closed', 'read')`);
  await query(sql`
    UPDATE link SET folder_pk = (SELECT max(pk) FROM folder)
    WHERE workspace_pk = ${carl.workspacePk}`);
  await expect(erasePerson({ ...member, permissions }, { phone })).rejects.toMatchObject({
    code: "forbidden",
  });
  expect(await listRecipients(carl, id, all)).toHaveLength(1);
});

test("after its period the data of a campaign is erased, and nothing else of it, twice too", async () => {
  const { id } = await createCampaign(bob, campaignBody({ personalDataDays: 30 }));
  const rows = recipientRows(5, 100);
  await addRecipients(bob, id, rows);
  const age = (hours: number) =>
    query(
      sql`UPDATE campaign SET added_at = now() - ${hours} * interval '1 hour' WHERE id = ${id}`,
    );
  await age(30 * 24 - 1);
  await tendCampaigns(2);
  expect((await getCampaign(bob, id)).erasedAt).toBeNull();
  await age(30 * 24 + 1);
  await tendCampaigns(2);
  const { erasedAt } = await getCampaign(bob, id);
  await tendCampaigns(2);
  expect(await getCampaign(bob, id)).toMatchObject({ erasedAt, recipients: 5 });
  expect(erasedAt).not.toBeNull();
  const stored = await query<{ sealed: null; hash: null; linked: boolean }>(sql`
    SELECT sealed, phone_hash AS hash, link_id IS NOT NULL AS linked
    FROM campaign_recipient
    WHERE message_id LIKE 'm-10%'`);
  expect(stored).toEqual(rows.map(() => ({ sealed: null, hash: null, linked: true })));
  const results = await addRecipients(bob, id, rows);
  expect(results.map((one) => one.status === "refused" && one.code)).toEqual(
    rows.map(() => "erased"),
  );
  await expect(addRecipients(bob, id, recipientRows(1, 200))).rejects.toMatchObject({
    code: "conflict",
  });
});

test("after a rotation all data is encrypted with the new key, twice too, and the old key is gone", async () => {
  const dora = await makeTestScope("dora");
  const id = await addPerson(dora);
  await addRecipients(dora, id, recipientRows(6, 300));
  await addOptOuts(dora, { phones: ["+8613887654321"] });
  const before = await listRecipients(dora, id, all);
  await rotatePeopleKeys(dora);
  await tendCampaigns(2);
  await tendCampaigns(2);
  expect((await listRotated()).filter((one) => one.workspacePk === dora.workspacePk)).toEqual([]);
  const versions = await query<{ version: number }>(sql`
    SELECT key_version AS version FROM campaign_recipient WHERE workspace_pk = ${dora.workspacePk}
    UNION
    SELECT key_version FROM opt_out WHERE workspace_pk = ${dora.workspacePk}`);
  expect(versions).toEqual([{ version: 2 }]);
  expect(await listRecipients(dora, id, all)).toEqual(before);
  expect((await listOptOuts(dora, { pageSize: 1 }))[0]?.phone).toBe("+8613887654321");
  const [again] = await addRecipients(dora, id, [{ messageId: "m", phone, columns }]);
  expect(again?.status).toBe("ready");
});

test("messages are exported in order, for those who see people, without opt-outs and deleted links", async () => {
  const erin = await makeTestScope("erin");
  const member = await joinTestScope(erin, "erin-member", "member");
  const { id } = await createCampaign(erin, campaignBody());
  const rows = recipientRows(1_004, 5_000);
  rows[1] = { ...(rows[1] ?? { messageId: "", phone: "" }), columns: { name: 'A "B", C' } };
  const results = await addRecipients(erin, id, rows);
  await addOptOuts(erin, { phones: [String(rows[2]?.phone)] });
  const deleted = results[3]?.status === "ready" ? results[3].linkId : "";
  await deleteLinksInBulk(erin, [deleted], []);
  const read = async (format: "csv" | "jsonl", columns?: string) =>
    await textOf(await exportMessages(erin, id, exportMessagesQuery.parse({ format, columns })));
  const lines = (await read("jsonl")).trim().split("\n");
  const messages = lines.map((line): { messageId: string; phone: string; text: string } =>
    JSON.parse(line),
  );
  const expected = rows.filter((_, at) => at !== 2 && at !== 3);
  expect(messages.map(({ messageId, phone: to }) => [messageId, to])).toEqual(
    expected.map(({ messageId, phone: to }) => [messageId, to]),
  );
  const csv = await read("csv");
  const first = results[0]?.status === "ready" ? results[0] : undefined;
  expect(csv.split("\r\n").slice(0, 2)).toEqual([
    "\u{feff}messageId,phone,text,country,parts,variant,shortLink",
    `m-5000,${rows[0]?.phone.slice(1)},"${first?.text}",CN,1,A,${first?.shortLink}`,
  ]);
  expect(csv).toContain('Hi A ""B"", C');
  const onlyCodes = await read("csv", "code,phone");
  const code = first?.shortLink.split("/").at(-1);
  expect(onlyCodes.split("\r\n").slice(0, 2)).toEqual([
    "\u{feff}code,phone",
    `${code},${rows[0]?.phone.slice(1)}`,
  ]);
  for (const columns of ["phone,phone", "phone,sealed", ""]) {
    expect(exportMessagesQuery.safeParse({ columns }).success).toBe(false);
  }
  const query = exportMessagesQuery.parse({});
  await expect(exportMessages(member, id, query)).rejects.toThrow("people.view");
  const entries = await listAudit(erin, { pageSize: 100, subject: id });
  expect(entries.filter(({ action }) => action === "campaign.export")).toHaveLength(3);
});

test("recipients are exported with their phones for those who see people, and masked for others", async () => {
  const faye = await makeTestScope("faye");
  const { id } = await createCampaign(faye, campaignBody());
  const [first, second] = recipientRows(2, 7_000);
  await addRecipients(faye, id, [first, second, { messageId: "wrong", phone: "12" }]);
  await addOptOuts(faye, { phones: [String(second?.phone)] });
  const [of] = await listRecipients(faye, id, all);
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks)
    SELECT pk, workspace_pk, 2 FROM link WHERE external_id = ${of?.recipientId}`);
  const read = async (filter: object, scope: WorkspaceScope = faye) => {
    const asked = exportRecipientsQuery.parse(filter);
    const [heading, ...lines] = (await textOf(await exportRecipients(scope, id, asked)))
      .trim()
      .split("\r\n");
    expect(heading).toMatch(/^messageId,phone,status,code,optedOut,clicks,/);
    expect(heading).toMatch(/,columns\.name,/);
    return lines.map((line) => line.split(",").slice(0, 6).join(","));
  };
  const digitsOf = (row: typeof first) => row?.phone.slice(1);
  const one = `m-7000,${digitsOf(first)},ready,,false,2`;
  const two = `m-7001,${digitsOf(second)},ready,,true,0`;
  expect(await read({})).toEqual([one, two, "wrong,,refused,phone_invalid,false,0"]);
  expect(await read({ clicked: "true" })).toEqual([one]);
  expect(await read({ clicked: "false" })).toEqual([two]);
  expect(await read({ status: "ready" })).toEqual([one, two]);
  const permissions = new Set([...faye.permissions].filter((one) => one !== "people.view"));
  const blind = { ...faye, permissions };
  const masked = await read({ clicked: "true" }, blind);
  expect(masked).toEqual([`m-7000,86 **** ${digitsOf(first)?.slice(-2)},ready,,false,2`]);
  const entries = await listAudit(faye, { pageSize: 100, subject: id });
  expect(entries.filter(({ action }) => action === "campaign.export")).toHaveLength(5);
});
