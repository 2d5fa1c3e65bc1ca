/** The page where recipients opt out, over HTTP and without a session. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newUuid } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { addRecipients, createCampaign } from "#lib/outreach/campaigns";
import { optOutUrl } from "#lib/outreach/opt-out-links";
import { checkOptOuts } from "#lib/outreach/opt-outs";
import { partsOf } from "#lib/outreach/segments";
import { limits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { campaignBody, recipientRows } from "../../test/campaigns.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { answerTrustPage } from "./index.ts";

openTestStores();
let server: Server;
let url: string;
let ada: WorkspaceScope;
let first = 300_000;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  server = createServer((req, res) => {
    if (!answerTrustPage(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** A message with the address of the page, and its phone. */
async function newMessage() {
  const { id } = await createCampaign(
    ada,
    campaignBody({ template: "Hi, {link} or {optout}", senderName: "福喜 & Co" }),
  );
  const rows = recipientRows(1, first++);
  const [result] = await addRecipients(ada, id, rows);
  if (result?.status !== "ready") throw new Error(JSON.stringify(result));
  const address = new URL(result.text.split(" ").at(-1) ?? "");
  return { ...result, address, phone: String(rows[0]?.phone) };
}

async function open(address: URL, language = "en") {
  const headers = { "Accept-Language": language };
  const answer = await fetch(url + address.pathname + address.search, { headers });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

async function press(token: string, ip = "198.51.100.1") {
  const answer = await fetch(`${url}/optout`, {
    method: "POST",
    headers: { "X-Forwarded-For": ip },
    body: new URLSearchParams({ t: token }),
  });
  return { status: answer.status, text: await answer.text() };
}

const isOptedOut = async (phone: string) =>
  (await checkOptOuts(ada, { phones: [phone] })).optedOut.length === 1;

test("opening the page changes nothing; its button opts out, twice too", async () => {
  const { address, phone } = await newMessage();
  for (const method of ["GET", "HEAD"]) {
    await fetch(url + address.pathname + address.search, { method });
  }
  expect(await isOptedOut(phone)).toBe(false);
  const token = String(address.searchParams.get("t"));
  expect(await press(token)).toMatchObject({ status: 200 });
  expect(await isOptedOut(phone)).toBe(true);
  expect((await press(token)).text).toContain("You’re unsubscribed");
});

test("the page is in the language of the browser, names the sender, and needs no script", async () => {
  const { address } = await newMessage();
  const english = await open(address);
  expect(english.text).toContain("from 福喜 &amp; Co anymore");
  expect(english.text).toMatch(
    /<form method="post" action="\/optout">.*<button>Unsubscribe<\/button>/s,
  );
  expect(english.text).not.toContain("<script");
  expect(english.headers.get("x-robots-tag")).toContain("noindex");
  expect((await open(address, "zh-CN")).text).toContain("<button>退订</button>");
});

test("an address is opaque, cannot be made from the id of a recipient, and has one length", async () => {
  const { address, phone, recipientId } = await newMessage();
  const token = String(address.searchParams.get("t"));
  const [row] = await query<{ id: string }>(sql`
    SELECT id FROM campaign_recipient ORDER BY created_at DESC, position DESC LIMIT 1`);
  expect(address.href).toBe(optOutUrl(String(row?.id)));
  const plain = Buffer.from(String(row?.id).replaceAll("-", ""), "hex").toString("base64url");
  const changed = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
  for (const forged of [
    plain,
    recipientId,
    changed,
    "",
    "x".repeat(23),
    "../../etc",
    `${token}=`,
  ]) {
    expect((await press(forged)).status).toBe(404);
    expect((await open(new URL(`/optout?t=${encodeURIComponent(forged)}`, url))).status).toBe(404);
  }
  expect(await isOptedOut(phone)).toBe(false);
  expect(optOutUrl(newUuid()).length).toBe(address.href.length);
});

test("the address counts in the parts of a message, like the link", async () => {
  const { text, parts } = await newMessage();
  expect(parts).toBe(partsOf(text, "CN"));
  const long = `${"x".repeat(30)} {optout}`;
  const { id } = await createCampaign(ada, campaignBody({ template: long }));
  const [result] = await addRecipients(ada, id, recipientRows(1, first++));
  expect(result).toMatchObject({ status: "ready", parts: 2 });
});

test("the page of an erased person does not exist", async () => {
  const { address } = await newMessage();
  await query(
    sql`UPDATE campaign_recipient SET sealed = NULL, key_version = NULL, phone_hash = NULL`,
  );
  expect((await open(address)).status).toBe(404);
});

test("an address on the network may press the button 600 times an hour", async () => {
  const { max } = limits.optOutPerAddress;
  const keys = await redis().keys("*limit*optOutPerAddress*");
  if (keys.length > 0) await redis().del(keys);
  for (let tries = 0; tries < max; tries++) {
    const { status } = await press("x".repeat(22));
    if (status !== 404) throw new Error(`${tries}: ${status}`);
  }
  expect((await press("x".repeat(22))).status).toBe(429);
});
