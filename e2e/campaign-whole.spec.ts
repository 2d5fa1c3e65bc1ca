/**
 * A whole campaign, from a file with bad rows to the next campaign, in an installation of its own: its worker is killed
 * while it adds and while it sends, and every page is reloaded in the middle. `--long`: with 10,000 recipients.
 */
import { readFileSync } from "node:fs";
import { test as base, expect, type Page } from "@playwright/test";
import pg from "pg";
import { type SmsGateway, startSmsGateway } from "../test/gateways.ts";
import { startTestInstance, type TestInstance } from "../test/instance.ts";
import { desktopAgent, signUp, soon, untilAlive } from "./journey.ts";

const isLong = Boolean(process.env["TEST_LONG"]);
const rows = isLong ? 10_000 : 600;
const badRows = 37;
const visits = isLong ? 500 : 50;
const waitMs = isLong ? 600_000 : 180_000;

const test = base.extend<{ instance: TestInstance }>({
  instance: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright parses the parameter to find a fixture's dependencies
    async ({}, use) => {
      const env = { FUXI_TRUSTED_PROXIES: "127.0.0.1,::1", FUXI_FETCH: "loopback" };
      const instance = await startTestInstance({ name: "campaign", redisDatabase: 10, env });
      await use(instance);
      await instance.stop();
    },
    { timeout: 300_000 },
  ],
  baseURL: ({ instance }, use) => use(instance.url),
});

/** The rows of a file; the phone of every bad one has two digits too few. */
function fileOf(isBad: (row: number) => boolean): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const digits = String(13_800_000_000 + row);
    return `${isBad(row) ? digits.slice(0, 9) : digits},order-${row},Name ${row}`;
  });
  return `phone,messageId,name\n${lines.join("\n")}\n`;
}

/** The supervisor starts it again. */
function killWorker({ supervisor }: TestInstance): void {
  const pid = supervisor.pidOf("worker");
  if (pid === undefined) throw new Error("There is no worker");
  process.kill(pid, "SIGKILL");
}

/** What a killed worker holds would end by itself after a minute. */
async function endLeases({ databaseUrl }: TestInstance): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("UPDATE campaign_sending SET lease_until = now()");
  await client.end();
}

async function reload(page: Page): Promise<void> {
  await page.reload();
  await untilAlive(page);
}

/** Every 50th message is refused for good. */
function failSometimes(gateway: SmsGateway): void {
  let calls = 0;
  gateway.fault = () => {
    calls += 1;
    return calls % 50 === 0 ? 400 : undefined;
  };
}

test("bad rows are corrected, everyone gets one message, and the report agrees with what happened", async ({
  page,
  instance,
}) => {
  test.setTimeout(isLong ? 1_800_000 : 300_000);
  const gateway = await startSmsGateway();
  failSometimes(gateway);
  const { slug } = await signUp(page);
  const headers = { Origin: instance.url, "X-Fuxi-Workspace": slug };
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`/api${path}`, { headers, data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return await answer.json();
  };
  const get = async (path: string) =>
    await (await page.request.get(`/api${path}`, { headers })).json();
  await post("/gateways", {
    name: "Local",
    secret: gateway.secret,
    rate: 500,
    settings: {
      kind: "http",
      url: `${gateway.origin}/send`,
      format: "json",
      body: '{"to": "{phone}", "text": "{text}", "ref": "{messageId}"}',
      idPath: "data.id",
    },
  });
  const { id } = await post("/campaigns", {
    name: "Autumn",
    kind: "service",
    template: "Hi {name}, {link} now",
    destination: "https://example.com/autumn",
    defaultCountry: "CN",
    columns: [{ name: "name" }],
  });
  const campaign = `/app/${slug}/campaigns/${id}`;

  await test.step("the file is added while the worker is killed, and its bad rows are refused", async () => {
    await page.goto(campaign);
    await untilAlive(page);
    const step = Math.floor(rows / badRows);
    const text = fileOf((row) => row % step === 0 && row / step < badRows);
    const buffer = Buffer.from(text);
    const file = { name: "people.csv", mimeType: "text/csv", buffer };
    await page.getByLabel("File of recipients").setInputFiles(file);
    const card = page.getByRole("region", { name: "people.csv", exact: true });
    await expect(card.getByRole("button", { name: /^Add .* recipients$/ })).toBeVisible();
    await reload(page);
    await card.getByRole("button", { name: /^Add .* recipients$/ }).click();
    killWorker(instance);
    await reload(page);
    const outcome = `${(rows - badRows).toLocaleString("en")} recipients added, ${badRows} rows refused.`;
    await expect(card.getByText(outcome)).toBeVisible({ timeout: waitMs });
  });

  await test.step("the refused rows are downloaded with their reasons, corrected and added", async () => {
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download refused rows of people.csv" }).click();
    const path = test.info().outputPath("refused.csv");
    await (await started).saveAs(path);
    const refused = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    const lines = refused.trim().split(/\r?\n/);
    expect(lines).toHaveLength(badRows + 1);
    // The order of a message tells which digits are missing.
    const mended = lines.map((line) =>
      line.replace(/\b138\d{6}\b(?=.*order-(\d+))/, (_, row: string) =>
        String(13_800_000_000 + Number(row)),
      ),
    );
    await page.getByRole("button", { name: "Add more recipients" }).click();
    const buffer = Buffer.from(mended.join("\n"));
    const file = { name: "mended.csv", mimeType: "text/csv", buffer };
    await page.getByLabel("File of recipients").setInputFiles(file);
    const card = page.getByRole("region", { name: "mended.csv", exact: true });
    await card.getByRole("button", { name: `Add ${badRows} recipients` }).click();
    await expect(card.getByText(`${badRows} recipients added, 0 rows refused.`)).toBeVisible({
      timeout: waitMs,
    });
    expect(await get(`/links/count?campaignId=${id}`)).toBe(rows);
  });

  await test.step("everyone gets one message, although the worker is killed", async () => {
    await page.goto(`${campaign}/send`);
    await untilAlive(page);
    await page.getByRole("switch", { name: "Quiet hours" }).click();
    await page.getByRole("button", { name: /^Send .* messages$/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Send now" }).click();
    await expect.poll(() => gateway.sent.length, { timeout: waitMs }).toBeGreaterThan(20);
    killWorker(instance);
    await endLeases(instance);
    await reload(page);
    await expect(page.getByRole("heading", { name: "Finished" })).toBeVisible({ timeout: waitMs });
    expect(new Set(gateway.sent.map(({ phone }) => phone)).size).toBe(gateway.sent.length);
  });

  await test.step("receipts and visits are counted, and the report says the same", async () => {
    const sent = gateway.sent.map(({ phone, text }) => ({
      messageId: `order-${Number(phone.slice(-11)) - 13_800_000_000}`,
      link: text.match(/https?:\/\/\S+/)?.[0] ?? "",
    }));
    const half = Math.ceil(sent.length / 2);
    await page.goto(`${campaign}/report`);
    for (const part of [sent.slice(0, half), sent.slice(half)]) {
      for (let from = 0; from < part.length; from += 1_000) {
        const receipts = part
          .slice(from, from + 1_000)
          .map(({ messageId }) => ({ messageId, state: "delivered" }));
        await post(`/campaigns/${id}/receipts`, { receipts });
      }
      await reload(page);
    }
    for (const [at, { link }] of sent.slice(0, visits).entries()) {
      if (at === visits / 2) await reload(page);
      const answer = await page.request.get(link, {
        maxRedirects: 0,
        headers: { "User-Agent": desktopAgent },
      });
      expect(answer.status()).toBe(302);
    }
    await expect(async () => {
      await page.goto(`${campaign}/report`);
      const funnel = page.getByRole("list", { name: "From recipients to clicks" });
      const items = funnel.getByRole("listitem");
      const inOrder = [rows, sent.length, sent.length, visits];
      for (const [at, count] of inOrder.entries()) {
        await expect(items.nth(at)).toContainText(count.toLocaleString("en"), soon);
      }
    }).toPass({ timeout: waitMs });
    const report = await get(`/campaigns/${id}/report`);
    expect(report).toMatchObject({ sent: sent.length, delivered: sent.length, clicked: visits });
    // The others were certainly not sent, or wait for a person to say whether they were.
    expect(report.sent + report.refused + report.unknown).toBe(rows);
    expect(report.refused).toBeGreaterThan(0);
  });

  await test.step("those who didn’t click are the recipients of the next campaign", async () => {
    await page.getByRole("link", { name: "New campaign for non-clickers" }).click();
    await page.waitForURL("**/campaigns/new?*");
    await untilAlive(page);
    await page.getByLabel("Name", { exact: true }).fill("Reminder");
    await page.getByRole("button", { name: "Create campaign" }).click();
    await page.waitForURL("**/campaigns/camp_*");
    await reload(page);
    const left = (rows - visits).toLocaleString("en");
    await page.getByRole("button", { name: `Add ${left} recipients` }).click();
    await reload(page);
    const card = page.getByRole("region", { name: "Autumn", exact: true });
    await expect(card.getByText(`${left} recipients added, 0 rows refused.`)).toBeVisible({
      timeout: waitMs,
    });
  });

  await gateway.close();
});
