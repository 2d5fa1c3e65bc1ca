/** Adding recipients: one result per row, once per message and phone, whatever happens at the same time. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { addOptOuts, holdList } from "#lib/outreach/opt-outs";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys } from "#lib/tenancy/people-keys";
import { campaignBody, recipientRows } from "../../../test/campaigns.ts";
import { list } from "../../../test/links.ts";
import { untilWaiting } from "../../../test/locks.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { textOf } from "../../../test/sent-file.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  addRecipients,
  createCampaign,
  exportMessages,
  getCampaign,
  getCampaignStatus,
  listRecipients,
} from "./index.ts";
import { exportMessagesQuery, listRecipientsQuery, type RecipientResult } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
});

async function newCampaign(change: object = {}): Promise<string> {
  return (await createCampaign(ada, campaignBody(change))).id;
}

type Message = Extract<RecipientResult, { status: "ready" }>;

function messageOf(result: RecipientResult | undefined): Message {
  if (result?.status !== "ready") throw new Error(`No message: ${JSON.stringify(result)}`);
  return result;
}

function codesOf(results: readonly RecipientResult[]): string[] {
  return results.map((one) => (one.status === "refused" ? one.code : "ready"));
}

const rowsOf = async (id: string, filter: object = {}) =>
  await listRecipients(ada, id, listRecipientsQuery.parse(filter));

describe("a row", () => {
  test("becomes a link to its own destination, and a finished message with its cost", async () => {
    const id = await newCampaign({
      kind: "marketing",
      senderName: "福喜",
      optOutText: "Reply STOP",
      consentSource: "Shop",
      consentOn: "2026-01-31",
      destination: "https://example.com/autumn/{coupon}?r={recipientId}",
      utm_source: "sms",
      linkDays: 30,
      prices: { currency: "CNY", perPart: { CN: "0.045" } },
    });
    const columns = { name: "李", coupon: "A 1" };
    const [result] = await addRecipients(ada, id, [
      { messageId: "m1", phone: "138 0013 8000", columns },
    ]);
    const message = messageOf(result);
    expect(message).toMatchObject({ variant: "A", country: "CN", encoding: "UCS-2", parts: 1 });
    expect(message.text).toBe(`【福喜】Hi 李, ${message.shortLink} now 拒收请回复R`);
    expect([message.cost, message.saved]).toEqual(["0.045", { parts: 1, cost: "0.045" }]);
    const [link] = await list(ada, { campaignId: id });
    expect(link?.url).toBe(
      `https://example.com/autumn/A%201?r=${message.recipientId}&utm_source=sms`,
    );
    expect(link).toMatchObject({ id: message.linkId, externalId: message.recipientId });
    expect(link?.expiresAt).not.toBeNull();
  });

  test("is refused with a reason, and the others are not affected", async () => {
    const id = await newCampaign({
      template: "{name} {coupon|} {link}",
      destination: "https://example.com/?c={coupon|none}",
    });
    await addOptOuts(ada, { phones: ["+8613900000001"] });
    const phone = "+8613800138000";
    const columns = { name: "Li" };
    const given = [
      { messageId: "ok", phone, columns },
      { messageId: "a", phone: "12345", columns },
      { messageId: "b", phone, columns },
      { messageId: "c", phone: "+8613900000001", columns },
      { messageId: "d", phone: "+8613800138001", columns: { name: " " } },
      { messageId: "e", phone: "+8613800138002", columns: { ...columns, other: "1" } },
      { messageId: "f", phone: "+8613800138003", columns: { name: "x".repeat(500) } },
      { messageId: "ok", phone: "+8613800138004", columns },
      { messageId: "g13800138005", phone: "+8613800138005", columns },
      { messageId: "h", phone: "+8613800138006", columns: { ...columns, coupon: "13800138006" } },
      { messageId: "i", phone: "+8613800138007", columns: { ...columns, coupon: "x@y.example" } },
      { phone, columns },
      "nothing",
      { messageId: "j", phone: "+8613800138008", columns: { name: 5 } },
    ];
    const results = await addRecipients(ada, id, given);
    expect(codesOf(results)).toEqual([
      "ready",
      "phone_invalid",
      "phone_duplicate",
      "opted_out",
      "column_missing",
      "column_unknown",
      "ready",
      "message_differs",
      "message_personal",
      "destination_personal",
      "destination_personal",
      "row_invalid",
      "row_invalid",
      "ready",
    ]);
    expect(results[4]).toMatchObject({
      messageId: "d",
      message: "columns: name is empty. Add a value, or a fallback to the template.",
    });
    expect(await getCampaign(ada, id)).toMatchObject({ recipients: 3, refused: 7 });
    const stored = await rowsOf(id);
    expect(stored.map(({ messageId, code }) => [messageId, code])).toEqual([
      ["ok", null],
      ["a", "phone_invalid"],
      ["b", "phone_duplicate"],
      ["c", "opted_out"],
      ["d", "column_missing"],
      ["e", "column_unknown"],
      ["f", null],
      ["h", "destination_personal"],
      ["i", "destination_personal"],
      ["j", null],
    ]);
  });

  test("of ten parts is accepted, and one with a character more is refused", async () => {
    const columns = ["a", "b"].map((name) => ({ name }));
    const id = await newCampaign({ template: "{a}{b}{link}", columns, linkScheme: false });
    const [sample] = await addRecipients(ada, id, [
      { messageId: "s", phone: "+8613800138000", columns: { a: "x", b: "x" } },
    ]);
    const rest = 670 - (messageOf(sample).text.length - 2);
    const row = (messageId: string, chars: number) => ({
      messageId,
      phone: messageId === "max" ? "+8613800138001" : "+8613800138002",
      columns: { a: "x".repeat(300), b: "x".repeat(chars - 300) },
    });
    const results = await addRecipients(ada, id, [row("max", rest), row("more", rest + 1)]);
    expect(messageOf(results[0]).parts).toBe(10);
    expect(codesOf(results)).toEqual(["ready", "text_long"]);
  });

  test("has its variant for good, and both variants get their part", async () => {
    const variants = ["A", "B"].map((name) => {
      return { name, template: `${name} {link}`, percentage: 50 };
    });
    const id = await newCampaign({ template: undefined, variants });
    const rows = recipientRows(200);
    const first = (await addRecipients(ada, id, rows)).map(messageOf);
    const again = (await addRecipients(ada, id, rows)).map(messageOf);
    expect(again).toEqual(first);
    const inA = first.filter(({ variant, text }) => variant === "A" && text.startsWith("A "));
    expect(inA.length).toBeGreaterThan(60);
    expect(inA.length).toBeLessThan(140);
    const status = await getCampaignStatus(ada, id);
    expect(status.variants).toEqual([
      { name: "A", recipients: inA.length, clicked: 0 },
      { name: "B", recipients: 200 - inA.length, clicked: 0 },
    ]);
  });
});

describe("a repeated message", () => {
  test("returns the same result, and a refused one can be corrected", async () => {
    const id = await newCampaign();
    const [row] = recipientRows(1);
    const wrong = { ...row, messageId: "w", phone: "1" };
    const [first, refused] = await addRecipients(ada, id, [row, wrong]);
    expect(await addRecipients(ada, id, [row, wrong])).toEqual([first, refused]);
    expect(await getCampaign(ada, id)).toMatchObject({ recipients: 1, refused: 1 });
    const right = { ...wrong, phone: "+8613700000000" };
    expect(codesOf(await addRecipients(ada, id, [right]))).toEqual(["ready"]);
    expect(await getCampaign(ada, id)).toMatchObject({ recipients: 2, refused: 0 });
    expect((await rowsOf(id)).map(({ messageId }) => messageId)).toEqual(["m-0", "w"]);
  });

  test("with another phone or other columns tells nothing of the first", async () => {
    const id = await newCampaign();
    const row = { messageId: "m", phone: "+8613800138000", columns: { name: "Secret" } };
    await addRecipients(ada, id, [row]);
    const results = [
      ...(await addRecipients(ada, id, [{ ...row, columns: {} }])),
      ...(await addRecipients(ada, id, [{ ...row, phone: "+8613800138001" }])),
    ];
    expect(codesOf(results)).toEqual(["message_differs", "message_differs"]);
    expect(JSON.stringify(results)).not.toContain("Secret");
  });

  test("sent by many calls at once makes one recipient and one link each", async () => {
    const id = await newCampaign();
    const rows = recipientRows(40);
    const calls = await Promise.all(Array.from({ length: 6 }, () => addRecipients(ada, id, rows)));
    for (const results of calls) expect(results).toEqual(calls[0]);
    expect(codesOf(calls[0] ?? [])).toEqual(rows.map(() => "ready"));
    expect((await list(ada, { campaignId: id })).length).toBe(40);
    expect(await getCampaign(ada, id)).toMatchObject({ recipients: 40, refused: 0 });
  });

  test("a phone under two messages at once gets one of them", async () => {
    const id = await newCampaign();
    const phone = "+8613800138000";
    const calls = await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        addRecipients(ada, id, [{ messageId: `m${at}`, phone, columns: {} }]),
      ),
    );
    expect(codesOf(calls.flat()).toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => "phone_duplicate"),
      "ready",
    ]);
  });

  test("after its phone opted out, or its link was deleted, has no message", async () => {
    const id = await newCampaign();
    const rows = recipientRows(2, 500);
    const [first, second] = (await addRecipients(ada, id, rows)).map(messageOf);
    await addOptOuts(ada, { phones: [String(rows[0]?.phone)] });
    await query(sql`DELETE FROM link WHERE external_id = ${second?.recipientId}`);
    expect(codesOf(await addRecipients(ada, id, rows))).toEqual(["opted_out", "link_deleted"]);
    const stored = await rowsOf(id);
    expect(stored.map(({ text, optedOut }) => [text, optedOut])).toEqual([
      [null, true],
      [null, false],
    ]);
    expect(stored[0]?.shortLink).toBe(first?.shortLink);
    expect(stored[1]?.shortLink).toBeNull();
  });
});

describe("an opt-out at the same time", () => {
  test("waits for recipients that are being added, and is seen by those that follow", async () => {
    const id = await newCampaign();
    const [row] = recipientRows(1, 600);
    const phones = [String(row?.phone)];
    let adding: Promise<unknown> | undefined;
    await transaction(async (tx) => {
      // As the transaction that adds recipients.
      await holdList(tx, ada.workspacePk);
      adding = addOptOuts(ada, { phones });
      await untilWaiting();
    });
    expect(await adding).toMatchObject({ added: 1 });
    expect(codesOf(await addRecipients(ada, id, [row]))).toEqual(["opted_out"]);
  });

  test("that commits after recipients were looked up leaves no link and no message", async () => {
    const id = await newCampaign();
    const rows = recipientRows(2, 700);
    const [phone, other] = rows.map((row) => row.phone);
    const keys = await openPeopleKeys(ada.workspacePk);
    let adding: Promise<RecipientResult[]> | undefined;
    await transaction(async (tx) => {
      // As the transaction that adds opt-outs.
      const lock = `opt_out ${ada.workspacePk}`;
      await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`, tx);
      adding = addRecipients(ada, id, rows);
      // It has prepared both links, and waits for the list.
      await untilWaiting();
      await query(
        sql`
          INSERT INTO opt_out (id, workspace_pk, phone_hash)
          VALUES (${newId("opt")}, ${ada.workspacePk}, ${keys.hash(String(phone))})`,
        tx,
      );
    });
    expect(codesOf((await adding) ?? [])).toEqual(["opted_out", "ready"]);
    expect((await list(ada, { campaignId: id })).length).toBe(1);
    expect((await rowsOf(id)).map((row) => row.phone)).toEqual([null, other]);
  });
});

describe("many rows", () => {
  test("are in the order of the call, over several transactions", async () => {
    const id = await newCampaign();
    const rows = recipientRows(2_600, 10_000);
    const results = await addRecipients(ada, id, rows);
    expect(results.map(({ messageId }) => messageId)).toEqual(rows.map((row) => row.messageId));
    const page = await rowsOf(id, { startingAfter: 2_498, pageSize: 4 });
    expect(page.map(({ position, messageId }) => [position, messageId])).toEqual(
      [2_498, 2_499, 2_500, 2_501].map((at) => [at + 1, `m-${10_000 + at}`]),
    );
    const status = await getCampaignStatus(ada, id);
    expect(status).toMatchObject({ recipients: 2_600, clicked: 0, parts: 2_600, currency: null });
  });

  test("are listed by clicks, without those of bots", async () => {
    const id = await newCampaign();
    const rows = recipientRows(3, 20_000);
    const results = (await addRecipients(ada, id, rows)).map(messageOf);
    for (const [at, [clicks, bots]] of [
      [2, 0],
      [0, 5],
    ].entries()) {
      await query(sql`
        INSERT INTO link_stat (link_pk, workspace_pk, clicks, bots)
        SELECT pk, workspace_pk, ${clicks}, ${bots}
        FROM link
        WHERE external_id = ${results[at]?.recipientId}`);
    }
    const idsOf = async (filter: object) =>
      (await rowsOf(id, filter)).map(({ messageId }) => messageId);
    expect(await idsOf({ clicked: "true" })).toEqual(["m-20000"]);
    expect(await idsOf({ clicked: "false" })).toEqual(["m-20001", "m-20002"]);
    expect(await idsOf({ status: "refused" })).toEqual([]);
    const sentTo = async (filter: object) => {
      const file = await exportMessages(ada, id, exportMessagesQuery.parse(filter));
      return (await textOf(file)).match(/m-\d+/g);
    };
    expect(await sentTo({ clicked: "true" })).toEqual(["m-20000"]);
    expect(await sentTo({ clicked: "false" })).toEqual(["m-20001", "m-20002"]);
    expect(await sentTo({})).toHaveLength(3);
    expect((await getCampaignStatus(ada, id)).clicked).toBe(1);
  });
});
