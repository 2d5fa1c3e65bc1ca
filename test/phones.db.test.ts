/**
 * A phone through its whole life: uploaded in a file, added, sent, settled by a receipt, opted out by a reply, exported,
 * and erased. At each step it is searched for in the clear in every table, key of Redis, file, archive and log line.
 */
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import {
  createCampaign,
  exportMessages,
  getCampaignStatus,
  listRecipients,
} from "#lib/outreach/campaigns";
import { exportMessagesQuery, listRecipientsQuery } from "#lib/outreach/campaigns/schema";
import { erasePerson } from "#lib/outreach/erasing";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { checkOptOuts } from "#lib/outreach/opt-outs";
import { receiveFromGateway } from "#lib/outreach/receipts";
import { askGateways, getSending, sendDue, startSending } from "#lib/outreach/sending";
import {
  getRecipientSource,
  previewSource,
  runSource,
  startSource,
  uploadRecipients,
} from "#lib/outreach/sources";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { sendMail, startDueMails } from "#lib/tenancy/notification-mails";
import { runWorkspaceExport, startWorkspaceExport } from "#lib/transfer/workspace-export";
import { readArchive } from "./archive.ts";
import { campaignBody } from "./campaigns.ts";
import { type SmsGateway, settingsOf, startSmsGateway } from "./gateways.ts";
import { makeTestScope } from "./scope.ts";
import { findInFiles, findInTables, openTextSearch } from "./searching.ts";
import { openTestStores } from "./stores.ts";

let server: SmsGateway;

// Before the configuration is read.
beforeAll(async () => {
  server = await startSmsGateway();
  process.env["FUXI_TWILIO_URL"] = server.origin;
});
openTestStores({ FUXI_FETCH: "loopback" });

const digits = "13812345678";
const phone = `+86${digits}`;
const lost = "13887654321";
const name = "Zhuge Kongming";
/** As they are written in files, by gateways and by people. */
const texts = [digits, lost, "138 1234 5678", "138-1234-5678", "1234 5678", name];
const file = `name,phone\n${name},${digits}\n${name},${lost}\n${name},not ${digits}\n${name},138 1234 5678\n`;

const findAnywhere = openTextSearch(texts);
let ada: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  await query(sql`UPDATE app_user SET email_proven_at = now()`);
});
afterAll(() => server.close());

test("a phone is nowhere in the clear, from its file to its erasure", async () => {
  const { id } = await createCampaign(ada, campaignBody());
  const body = new Blob([file]).stream();
  const source = await uploadRecipients(ada, id, body, { name: "people.csv" });
  await previewSource(ada, source.id);
  expect(await findAnywhere()).toEqual([]);

  await startSource(ada, source.id);
  await runSource(source.id);
  expect(await getRecipientSource(ada, source.id)).toMatchObject({ added: 2, refused: 2 });
  expect(await findAnywhere()).toEqual([]);

  const settings = settingsOf(server, "twilio");
  const gateway = await createGateway(
    ada,
    createGatewayBody.parse({ name: "Local", settings, secret: server.secret, rate: 500 }),
  );
  // The response to one of the messages is lost, so the gateway is asked about it.
  let calls = 0;
  server.fault = () => {
    calls += 1;
    return calls === 1 ? "cut" : undefined;
  };
  await startSending(ada, id, { gatewayId: gateway.id, rate: 500 });
  while (await sendDue());
  server.fault = undefined;
  expect((await getSending(ada, id)).counts).toMatchObject({ accepted: 1, unknown: 1 });
  await query(sql`UPDATE campaign_send SET ask_at = now() - interval '1 second'`);
  expect(await askGateways()).toBe(1);
  expect((await getSending(ada, id)).counts).toMatchObject({ accepted: 2, unknown: 0 });
  expect(await findAnywhere()).toEqual([]);

  await receipts(String(gateway.receiptUrl));
  expect((await getSending(ada, id)).counts).toMatchObject({ delivered: 1 });
  expect((await checkOptOuts(ada, { phones: [phone] })).optedOut).toHaveLength(1);
  expect(await findAnywhere()).toEqual([]);

  await startDueMails();
  for (const { pk } of await query<{ pk: number }>(sql`SELECT pk FROM notice`)) await sendMail(pk);
  expect(await findAnywhere()).toEqual([]);

  const archive = await exportAll();
  expect(archive).toContain("+86 **** 21");
  expect(texts.filter((text) => archive.includes(text))).toEqual([]);
  expect(await messagesOf(id)).toContain(lost);
  expect(await findAnywhere()).toEqual([]);

  for (const one of [phone, `+86${lost}`]) await erasePerson(ada, { phone: one });
  expect(await listRecipients(ada, id, listRecipientsQuery.parse({ status: "ready" }))).toEqual([]);
  expect((await getCampaignStatus(ada, id)).recipients).toBe(0);
  expect(await findAnywhere()).toEqual([]);
  // The search finds what is there.
  expect(await findInTables(["people.csv"])).not.toEqual([]);
  expect(await findInFiles([ada.workspaceId])).not.toEqual([]);
});

/** A receipt that names the phone, a reply of the same phone, and forged ones. */
async function receipts(url: string): Promise<void> {
  const token = url.split("/").at(-1) ?? "";
  const call = async (fields: Record<string, string>, secret = server.secret) => {
    const form = new URLSearchParams(fields);
    const named = [...form.keys()].sort().map((key) => key + form.get(key));
    const signature = createHmac("sha1", secret)
      .update(url + named.join(""))
      .digest("base64");
    const headers = { "x-twilio-signature": signature };
    const request = { search: "", headers, body: form.toString() };
    await receiveFromGateway(token, request, "192.0.2.1").catch((error: unknown) => {
      log.error({ event: "test.refused", error });
    });
  };
  const sid = String(server.sent.find((one) => one.phone === phone)?.id);
  await call({ MessageSid: sid, MessageStatus: "delivered", To: phone, From: "+14155550100" });
  await call({ From: phone, Body: "TD" });
  await call({ From: `+86${lost}`, Body: `my number is ${lost}` });
  await call({ From: phone, Body: "STOP" }, "wrong");
}

/** Everything of the workspace, as text. */
async function exportAll(): Promise<string> {
  const started = await startWorkspaceExport(ada);
  if (!started) throw new Error("One is being made already");
  await runWorkspaceExport(started.id);
  const bytes = await readFile(join(config().FUXI_DATA_DIR, "takeouts", `${started.id}.zip`));
  return (await readArchive(bytes)).map((one) => one.bytes.toString()).join("\n");
}

/** For those who may see phones; it is sent and not stored. */
async function messagesOf(id: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  const sent = await exportMessages(ada, id, exportMessagesQuery.parse({ format: "jsonl" }));
  await sent.send((bytes) => {
    chunks.push(bytes);
    return Promise.resolve();
  });
  return Buffer.concat(chunks).toString();
}
