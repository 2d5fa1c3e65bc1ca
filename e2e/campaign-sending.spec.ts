/** A campaign from its gateway to its report, with a local gateway that follows public documentation. */
import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { commandsIn, runAsItStands } from "../test/documents.ts";
import { type SmsGateway, settingsOf, startSmsGateway } from "../test/gateways.ts";
import {
  click,
  expectAccessible,
  expectFitsPhone,
  siteOrigin,
  soon,
  test,
  untilAlive,
} from "./journey.ts";

async function addGateway(page: Page, { origin, secret }: SmsGateway): Promise<void> {
  await page.getByRole("button", { name: "Add gateway" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Local");
  await dialog.getByLabel("URL", { exact: true }).fill(`${origin}/send`);
  await dialog.getByLabel("ID path").fill("data.id");
  await dialog.getByRole("button", { name: "Add SMS gateway" }).click();
  // The secret is missing, and nothing that was typed is lost.
  await expect(dialog.getByText("Enter the secret.", { exact: false })).toBeVisible();
  await expect(dialog.getByLabel("URL", { exact: true })).toHaveValue(`${origin}/send`);
  await expectAccessible(page, "[role=dialog]");
  await dialog.getByLabel("Header value").fill(secret);
  await dialog.getByRole("button", { name: "Add SMS gateway" }).click();
  await expect(dialog).toBeHidden();
}

/** The number with this name. */
async function figure(page: Page, name: string): Promise<string | null> {
  const term = page.getByRole("term").filter({ hasText: new RegExp(`^${name}$`) });
  return await term.locator("..").getByRole("definition").first().textContent();
}

test("a campaign is sent with a gateway of the workspace, and its report agrees with what happened", async ({
  page,
  workspace: { slug, make },
}) => {
  const gateway = await startSmsGateway();
  const destination = "https://example.com/autumn";
  const base = `/app/${slug}`;

  await test.step("a gateway is added, tested, and its secret is not shown again", async () => {
    await page.goto(`${base}/settings/gateways`);
    await untilAlive(page);
    await addGateway(page, gateway);
    await page.getByRole("button", { name: "Test connection of Local" }).click();
    await expect(page.getByText("The gateway can be reached", { exact: false })).toBeVisible();
    await page.getByRole("button", { name: "Edit Local" }).click();
    await expect(page.getByLabel("Header value")).toHaveValue("");
    await page.keyboard.press("Escape");
  });

  await test.step("a gateway that the API created keeps what is edited elsewhere", async () => {
    const settings = { ...settingsOf(gateway, "http"), okPath: "result", okValue: "0" };
    const { id: gatewayId, settings: created } = await make<{ id: string; settings: object }>(
      "/gateways",
      { name: "Internal", settings, secret: gateway.secret, rate: 20 },
    );
    await page.reload();
    await untilAlive(page);
    await page.getByRole("button", { name: "Edit Internal" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("10 by default", { exact: false })).toBeVisible();
    await dialog.getByLabel("Name", { exact: true }).fill("Own center");
    await dialog.getByText("Send again", { exact: true }).click();
    await expectAccessible(page, "[role=dialog]");
    await dialog.getByRole("button", { name: "Save gateway" }).click();
    await expect(dialog).toBeHidden();
    const headers = { "X-Fuxi-Workspace": slug };
    const edited = await page.request.get(`/api/gateways/${gatewayId}`, { headers });
    expect(await edited.json()).toMatchObject({
      name: "Own center",
      rate: 20,
      settings: { ...created, ...settings, afterError: "resend" },
    });
    await page.getByRole("button", { name: "Delete Own center" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete gateway" }).click();
    await expect(page.getByText("Own center deleted")).toBeVisible();
  });

  await test.step("opt-outs are pasted, found and removed", async () => {
    await page.goto(`${base}/campaigns/opt-outs`);
    await untilAlive(page);
    await page.getByRole("button", { name: "Add phone numbers" }).click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByLabel("Phone numbers", { exact: true })
      .fill("+8613800138003\n+8613800138099\n+86 138 12");
    await dialog.getByRole("button", { name: "Add to opt-outs" }).click();
    await expect(dialog.getByText("2 phone numbers added.", { exact: false })).toBeVisible();
    await expect(dialog.getByLabel("Invalid phone numbers")).toHaveValue("+86 138 12");
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByLabel("Search for a phone number").fill("+8613800138099");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("This phone number has opted out.")).toBeVisible();
    await page.getByRole("button", { name: "Remove +8613800138099" }).click();
    await page.getByRole("button", { name: "Remove phone number" }).click();
    await expect(page.getByText("+8613800138099 removed")).toBeVisible();
    await page.goto(`${base}/campaigns/opt-outs`);
    await expect(page.getByRole("cell", { name: "+8613800138003", exact: true })).toBeVisible();
    await expect(page.getByRole("cell", { name: "+8613800138099" })).toHaveCount(0);
  });

  const { id } = await make("/campaigns", {
    name: "Autumn",
    kind: "service",
    template: "Hi, {link} now",
    destination,
    defaultCountry: "CN",
    prices: { currency: "CNY", perPart: { CN: "0.045" } },
  });
  const numbers = [1, 2, 4, 5].map((last) => `+861380013800${last}`);
  const rows = numbers.map((number, at) => ({ messageId: `order-${at}`, phone: number }));
  const added = await make<{ status: string; shortLink: string }[]>(`/campaigns/${id}/recipients`, [
    ...rows,
    { messageId: "order-9", phone: "+8613800138003" },
  ]);
  expect(added.at(-1)).toMatchObject({ status: "refused", code: "opted_out" });
  gateway.badNumbers.add(numbers[3] ?? "");

  await test.step("a test message goes to one phone", async () => {
    await page.goto(`${base}/campaigns/${id}`);
    await page.waitForURL(`**/campaigns/${id}/check`);
    await untilAlive(page);
    await page.getByLabel("Your phone").fill("+8613800138088");
    await page.getByRole("button", { name: "Send test message" }).click();
    await expect(page.getByText("The gateway accepted the message.")).toBeVisible();
    expect(gateway.sent.map((one) => one.phone)).toEqual(["+8613800138088"]);
  });

  await test.step("the check says what will be sent and cost, and the dialog repeats it", async () => {
    // Tests run at any time of the day.
    await page.getByRole("switch", { name: "Quiet hours" }).click();
    const summary = page.getByRole("region", { name: "What will be sent" });
    await expect(summary.getByText("CN¥0.18")).toBeVisible();
    expect(await figure(page, "Excluded")).toBe("1");
    await expect(summary.getByText("This phone number has opted out.")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Send 4 messages" }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog.getByText("CN¥0.18", { exact: false })).toBeVisible();
    await expect(dialog.getByText("4 messages with 4 parts", { exact: false })).toBeVisible();
    await dialog.getByRole("button", { name: "Send now" }).click();
    await page.waitForURL(`**/campaigns/${id}/send`);
    await expect(page.getByRole("heading", { name: "Finished" })).toBeVisible();
    expect(gateway.sent.map((one) => one.phone).toSorted()).toEqual(
      [...numbers.slice(0, 3), "+8613800138088"].toSorted(),
    );
    expect(await figure(page, "Failed")).toBe("1");
    await expectAccessible(page);
  });

  await test.step("a message whose response is lost is settled by a person", async () => {
    gateway.cut = true;
    await make(`/campaigns/${id}/recipients`, [{ messageId: "order-5", phone: "+8613800138006" }]);
    await page.reload();
    await untilAlive(page);
    await page.getByRole("link", { name: "Check new recipients" }).click();
    await page.getByRole("button", { name: "Send 1 message" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Send now" }).click();
    const heading = page.getByRole("heading", { name: "1 message is unknown" });
    await expect(heading).toBeVisible();
    gateway.cut = false;
    await expectAccessible(page);
    await page.getByRole("checkbox", { name: "order-5" }).click();
    await page.getByRole("button", { name: "Mark as sent" }).click();
    await expect(page.getByText("1 message marked as sent")).toBeVisible();
    await expect(heading).toBeHidden();
  });

  await test.step("receipts and visits are in the report", async () => {
    await make(`/campaigns/${id}/receipts`, {
      receipts: [
        { messageId: "order-0", state: "delivered" },
        { messageId: "order-1", state: "delivered" },
        { messageId: "order-2", state: "failed", reason: "DELIVRD-NOT" },
      ],
    });
    await click(page, added[0]?.shortLink ?? "");
    const counted = `/api/campaigns/${id}/recipients?clicked=true`;
    const headers = { "X-Fuxi-Workspace": slug };
    await expect
      .poll(async () => (await (await page.request.get(counted, { headers })).json()).length)
      .toBe(1);
    await expect(async () => {
      await page.goto(`${base}/campaigns/${id}/report`);
      const funnel = page.getByRole("list", { name: "From recipients to clicks" });
      await expect(funnel.getByText("Clicked")).toBeVisible(soon);
      await expect(funnel.getByRole("listitem").last()).toContainText("1 20%", soon);
    }).toPass();
    expect(await figure(page, "Click rate")).toBe("50%");
    expect(await figure(page, "Not delivered")).toBe("2");
    await expect(page.getByText("of delivered messages").first()).toBeVisible();
    await expectAccessible(page);
    await expectFitsPhone(page);
  });

  await test.step("the file has the same numbers", async () => {
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export report as CSV" }).click();
    const path = test.info().outputPath("report.csv");
    await (await started).saveAs(path);
    const lines = readFileSync(path, "utf8").split("\r\n");
    for (const line of ["recipients,5", "sent,4", "delivered,2", "clicked,1", "clickRate,0.5"]) {
      expect(lines).toContain(`campaign,Autumn,${line}`);
    }
    expect(lines).toContain("device,Desktop,recipients,1");
  });

  await test.step("non-clickers are the audience of the next campaign", async () => {
    const next = page.getByRole("link", { name: "New campaign for non-clickers" });
    await expect(next).toHaveAttribute(
      "href",
      new RegExp(`new\\?from=${id}&audience=not_clicked$`),
    );
  });

  let winter = { id: "" };
  await test.step("two campaigns are compared", async () => {
    winter = await make("/campaigns", {
      name: "Winter",
      kind: "service",
      template: "Hi, {link} now",
      destination,
      defaultCountry: "CN",
    });
    await page.goto(`${base}/campaigns/compare?ids=${id}`);
    await page.getByRole("checkbox", { name: "Winter" }).check();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    const table = page.getByRole("table", { name: "Table: All stats" });
    await expect(table.getByRole("columnheader", { name: "Autumn" })).toBeVisible();
    await expect(table.getByRole("row", { name: /^Clicked/ })).toHaveText("Clicked01");
    await expectAccessible(page);
  });

  await test.step("a scheduled campaign is paused, resumed and cancelled, and keeps its gateway", async () => {
    await make(`/campaigns/${winter.id}/recipients`, [
      { messageId: "w-1", phone: "+8613800138001" },
    ]);
    await page.goto(`${base}/campaigns/${winter.id}/check`);
    await untilAlive(page);
    await page.getByText("Later", { exact: true }).click();
    await page.getByRole("button", { name: /^Tomorrow/ }).click();
    await page.getByRole("button", { name: "Schedule 1 message" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Schedule" }).click();
    await expect(page.getByRole("heading", { name: "Scheduled" })).toBeVisible();
    await page.getByRole("button", { name: "Pause" }).click();
    await expect(page.getByRole("heading", { name: "Paused" })).toBeVisible();
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(page.getByRole("heading", { name: "Scheduled" })).toBeVisible();
    await page.goto(`${base}/settings/gateways`);
    await untilAlive(page);
    await page.getByRole("button", { name: "Delete Local" }).click();
    const dialog = page.getByRole("dialog", { name: "Local is in use" });
    await dialog.getByRole("link", { name: "Winter" }).click();
    await page.waitForURL(`**/campaigns/${winter.id}/send`);
    await page.getByRole("button", { name: "Cancel campaign" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel campaign" }).click();
    await expect(page.getByRole("heading", { name: "Canceled" })).toBeVisible();
  });

  await gateway.close();
});

test("the guide for large volumes is followed with a key of few rights, command by command", async ({
  page,
  workspace: { slug, make },
}) => {
  const gateway = await startSmsGateway();
  const { id: gatewayId } = await make<{ id: string }>("/gateways", {
    name: "Local",
    settings: settingsOf(gateway, "http"),
    secret: gateway.secret,
    rate: 100,
  });
  const { key } = await make<{ key: string }>("/api-keys", {
    name: "Sender",
    scopes: ["campaigns.read", "campaigns.write", "links.write", "people.view"],
  });
  const guide = readFileSync("docs/guides/volume.en.md", "utf8");
  const commands = commandsIn(guide);
  expect(commands).toHaveLength(10);
  const answers: string[] = [];
  const run = async (command: string) => {
    const { status, stdout, stderr } = await runAsItStands(`${command} -sS --fail-with-body`, {
      FUXI_URL: siteOrigin,
      FUXI_API_KEY: key,
      GATEWAY_ID: gatewayId,
      CAMPAIGN_ID: answers[2] ? JSON.parse(answers[2]).id : "",
    });
    expect(status, `${command}: ${stdout}${stderr}`).toBe(0);
    answers.push(stdout);
    return stdout;
  };
  const [list, check, create, add, dryRun, start, follow, unknown, settle, file] = commands;
  const rest = { list, check, create, add, dryRun, start };
  for (const command of Object.values(rest)) await run(command ?? "");
  expect(JSON.parse(answers[4] ?? "")).toMatchObject({ messages: 2, seconds: 1 });
  await expect.poll(async () => JSON.parse(await run(follow ?? "")).sending.state).toBe("finished");
  expect(gateway.sent).toHaveLength(2);
  expect(JSON.parse(await run(unknown ?? ""))).toEqual([]);
  expect(JSON.parse(await run(settle ?? ""))).toEqual({ settled: 0 });
  const rows = (await run(file ?? "")).trim().split("\n");
  expect(rows).toHaveLength(3);
  expect(rows.join()).toContain(",12025550101,");
  await page.goto(`/app/${slug}/campaigns`);
  await expect(page.getByText("Parcels")).toBeVisible();
});
