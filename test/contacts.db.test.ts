/** Contacts of forms: limits, filters, files, webhooks, and how long they are kept. */
import { beforeAll, expect, test } from "vitest";
import { openIngest } from "#lib/analytics/ingest";
import {
  contactJobs,
  eraseContact,
  exportContacts,
  getContact,
  listContacts,
} from "#lib/audience/contacts";
import { exportContactsQuery, listContactsQuery } from "#lib/audience/contacts/schema";
import { parseId } from "#lib/basics/ids";
import {
  createWebhook,
  editWebhook,
  listDeliveries,
  sendTestEvent,
  webhookJobs,
} from "#lib/outreach/webhooks";
import { createWebhookBody, listDeliveriesQuery } from "#lib/outreach/webhooks/schema";
import { limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { updateWorkspace } from "#lib/tenancy/workspaces";
import { editWorkspaceBody } from "#lib/tenancy/workspaces/schema";
import { openFormVisitors } from "./form-visitors.ts";
import { openTestVisits } from "./redirect-server.ts";
import { joinTestScope } from "./scope.ts";
import { findInTables } from "./searching.ts";
import { openTestStores } from "./stores.ts";
import { startWebhookReceiver } from "./webhooks.ts";

openTestStores({ FUXI_TRUSTED_PROXIES: "127.0.0.1", FUXI_FETCH: "loopback" });
const visits = openTestVisits("contacts");
const { ask, scope } = visits;
const { asking, post, answer } = openFormVisitors(visits);

beforeAll(() => openIngest());

const contacts = (asked: object = {}) => listContacts(scope(), listContactsQuery.parse(asked));

test("the country of a phone is guessed from the place, then from the language", async () => {
  const { link, form } = await asking();
  const start = async (head: Record<string, string>) => {
    const { body } = await ask(`/${link.key}`, { headers: { ...head } });
    return /value="(\+\d+) "/.exec(body)?.[1];
  };
  // Addresses of Deutsche Telekom and China Mobile.
  const [germany, china] = ["80.187.100.1", "223.104.1.1"];
  expect(await start({ "x-forwarded-for": germany, "accept-language": "zh-CN" })).toBe("+49");
  expect(await start({ "x-forwarded-for": china, "accept-language": "de" })).toBe("+86");
  expect(await start({ "accept-language": "en-GB,en" })).toBe("+44");
  expect(await start({ "accept-language": "ja,en;q=0.8" })).toBe("+81");
  expect(await start({ "accept-language": "en" })).toBeUndefined();
  // A traveller has the phone of home.
  const head = { "x-forwarded-for": germany, "accept-language": "zh-CN" };
  expect((await post(link.key, { f0: "138 1234 5678" }, head)).status).toBe(303);
  expect(await contacts({ formId: form.id })).toMatchObject([
    { phone: "+8613812345678", country: "CN" },
  ]);
});

test("the code of a country alone is no phone: an optional field stays empty", async () => {
  const fields = [{ type: "phone", required: false }, { type: "name" }];
  const { link, form } = await asking({ fields });
  expect((await post(link.key, { f0: "+44 ", f1: "Ada" })).status).toBe(303);
  expect(await contacts({ formId: form.id })).toMatchObject([{ phone: null, name: "Ada" }]);
});

test("a phone answers as often as its limit says, from any address and in any form, and not once more", async () => {
  const [one, other] = [await asking(), await asking()];
  const { max } = limits.formPerPhone;
  const send = (at: number, phone: string) => {
    const { key } = (at % 2 === 0 ? one : other).link;
    return post(key, { f0: phone }, { "x-forwarded-for": `198.51.100.${at}` });
  };
  for (let at = 0; at < max; at++) expect((await send(at, "+447400123456")).status).toBe(303);
  const refused = await send(max, "+447400123456");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await send(max, "+447400123457")).status).toBe(303);
});

test("contacts are filtered by form, link, date and consent to messages, each alone and together", async () => {
  const first = await asking({ marketing: "Send me news" });
  const second = await asking({ marketing: "Send me news" });
  await answer(first.link.key, { f0: "+442079460001", marketing: "1" });
  await answer(second.link.key, { f0: "+442079460002" });
  const old = await contacts({ formId: second.form.id });
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  await query(sql`
    UPDATE contact_answer
    SET at = ${twoDaysAgo}
    WHERE form_pk = (SELECT pk FROM form WHERE id = ${second.form.id})`);
  const day = new Date(Date.now() - 86_400_000).toISOString();
  const phones = async (asked: object) =>
    (await contacts(asked)).map(({ phone }) => phone).filter((phone) => phone?.match(/000[12]$/));
  expect(await phones({})).toEqual(["+442079460002", "+442079460001"]);
  expect(await phones({ start: day })).toEqual(["+442079460001"]);
  expect(await phones({ end: day })).toEqual(["+442079460002"]);
  expect(await phones({ end: twoDaysAgo.toISOString() })).toEqual([]);
  expect(await phones({ start: twoDaysAgo.toISOString(), end: day })).toEqual(["+442079460002"]);
  expect(await phones({ linkId: first.link.id, marketing: "true" })).toEqual(["+442079460001"]);
  expect(await phones({ linkId: first.link.id, end: day })).toEqual([]);
  expect(await phones({ formId: first.form.id, marketing: "false" })).toEqual([]);
  expect(old).toHaveLength(1);
});

async function fileOf(format: string, filters: object): Promise<Buffer> {
  const asked = exportContactsQuery.parse({ format, ...filters });
  const chunks: Uint8Array[] = [];
  const sent = await exportContacts(scope(), asked);
  await sent.send((bytes) => {
    chunks.push(bytes);
    return Promise.resolve();
  });
  return Buffer.concat(chunks);
}

test("who may see people exports them as CSV, JSON lines and xlsx; formulas are text, and it is recorded", async () => {
  const { link, form } = await asking();
  const formula = `=HYPERLINK("https://evil.example")`;
  await answer(link.key, { f0: "+442079460003", f1: "bea@example.com", f2: formula });
  await answer(link.key, { f0: "+442079460004" });
  const csv = (await fileOf("csv", { formId: form.id })).toString();
  const lines = csv.trim().split(/\r?\n/);
  expect(lines[0]).toContain("id,phone,email,name");
  expect(lines).toHaveLength(3);
  expect(lines[2]).toContain("442079460003,bea@example.com");
  expect(csv).not.toMatch(/,"?=HYPER/);
  const jsonl = (await fileOf("jsonl", { formId: form.id })).toString().trim().split("\n");
  expect(jsonl.map((line) => JSON.parse(line).phone)).toEqual(["+442079460004", "+442079460003"]);
  expect((await fileOf("xlsx", { formId: form.id })).subarray(0, 2).toString()).toBe("PK");
  const recorded = await query(sql`
    SELECT 1 FROM audit WHERE workspace_pk = ${scope().workspacePk} AND action = 'contact.export'`);
  expect(recorded).toHaveLength(3);
  const member = await joinTestScope(scope(), "exporter", "member");
  await expect(exportContacts(member, exportContactsQuery.parse({}))).rejects.toThrow(
    "people.view",
  );
});

test("a webhook gets the phone only where someone who may see people said so; nothing stores it, and erased people are in no request", async () => {
  const receiver = await startWebhookReceiver();
  try {
    const body = { url: receiver.url, events: ["contact.created"] };
    const make = (more: object) =>
      createWebhook(scope(), createWebhookBody.parse({ ...body, ...more }));
    await make({ name: "Plain" });
    const rich = await make({ name: "Rich", people: true });
    const { link } = await asking();
    await answer(link.key, { f0: "+442079460777", f1: "zoe@example.com", f2: "Zoë Quill" });
    await webhookJobs[0]?.handle({});
    const requests = receiver.got.map(({ body: text }) => JSON.parse(text).data.contact);
    expect(requests).toHaveLength(2);
    const [plain, full] = requests.sort(
      (one, other) => (one.phone ? 1 : 0) - (other.phone ? 1 : 0),
    );
    expect(Object.keys(plain).sort()).toEqual([
      "country",
      "createdAt",
      "id",
      "marketing",
      "phoneConfirmed",
    ]);
    expect(full).toMatchObject({
      ...plain,
      phone: "+442079460777",
      email: "zoe@example.com",
      name: "Zoë Quill",
    });
    expect(await findInTables(["442079460777", "zoe@example.com", "Zoë Quill"])).toEqual([]);
    const [delivery] = await listDeliveries(scope(), rich.id, listDeliveriesQuery.parse({}));
    expect(delivery?.request).not.toContain("442079460777");
    await sendTestEvent(scope(), rich.id, "contact.created");
    await eraseContact(scope(), plain.id);
    await query(
      sql`UPDATE webhook_delivery SET state = 'waiting', due_at = now() - interval '1 second'`,
    );
    await query(sql`UPDATE webhook SET waiting = 2, due_at = now() - interval '1 second'`);
    receiver.got.length = 0;
    await webhookJobs[0]?.handle({});
    const again = receiver.got.map(({ body: text }) => text).join("\n");
    expect(again).toContain(plain.id);
    expect(again).not.toContain("442079460777");
    expect(again).toContain("ada@example.com");
  } finally {
    await receiver.close();
  }
});

test("without the permission to see people nobody turns that on, changes where it goes, or gives it to a chat", async () => {
  const { permissions } = scope();
  const seeing = [...permissions].filter((one) => one !== "people.view");
  const blind: WorkspaceScope = { ...scope(), permissions: new Set(seeing) };
  const body = { name: "CRM", url: "https://example.com/hook", events: ["contact.created"] };
  const make = (own: WorkspaceScope, more: object) =>
    createWebhook(own, createWebhookBody.parse({ ...body, ...more }));
  await expect(make(blind, { people: true })).rejects.toThrow("people.view");
  const plain = await make(blind, {});
  await expect(editWebhook(blind, plain.id, { people: true })).rejects.toThrow("people.view");
  const rich = await make(scope(), { people: true });
  const moved = { url: "https://evil.example/hook" };
  await expect(editWebhook(blind, rich.id, moved)).rejects.toThrow("people.view");
  await expect(make(scope(), { people: true, format: "feishu" })).rejects.toThrow("Chats get no");
});

test("contacts are erased when their workspace keeps them no longer, and not a minute before", async () => {
  const { link, form } = await asking();
  await answer(link.key, { f0: "+442079460005", f2: "Early Bird" });
  await answer(link.key, { f0: "+442079460006", f2: "Late Owl" });
  const border = Date.now() - 30 * 86_400_000;
  const [late, early] = await contacts({ formId: form.id });
  const answeredAt = (id: string | undefined, at: number) =>
    query(sql`
    UPDATE contact
    SET answered_at = ${new Date(at)}
    WHERE id = ${parseId("con", String(id)) ?? null}`);
  await answeredAt(early?.id, border - 60_000);
  await answeredAt(late?.id, border + 60_000);
  await contactJobs[0]?.handle({});
  expect(await contacts({ formId: form.id })).toHaveLength(2);
  await updateWorkspace(scope(), { contactDays: 30 });
  await contactJobs[0]?.handle({});
  await contactJobs[0]?.handle({});
  expect(await contacts({ formId: form.id })).toMatchObject([{ name: "Late Owl" }]);
  await expect(getContact(scope(), String(early?.id))).rejects.toThrow("not found");
  expect(editWorkspaceBody.safeParse({ contactDays: 3_650 }).success).toBe(true);
  expect(editWorkspaceBody.safeParse({ contactDays: 3_651 }).success).toBe(false);
  expect(editWorkspaceBody.safeParse({ contactDays: 0 }).success).toBe(false);
});
