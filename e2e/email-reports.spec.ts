import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { send } from "../test/http-client.ts";
import { expectAccessible, expectFitsPhone, siteOrigin, test, untilAlive } from "./journey.ts";
import { findEmail } from "./outbox.ts";

test("a report is previewed and created, its address confirmed by email and unsubscribed by one click", async ({
  page,
  context,
  workspace: { slug },
}) => {
  const outsider = `eve-${randomUUID().slice(0, 8)}@elsewhere.example`;
  await page.goto(`/app/${slug}/analytics`);
  await untilAlive(page);
  await page.getByRole("link", { name: "Reports and alerts" }).click();
  await page.waitForURL("**/analytics/reports");
  await untilAlive(page);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Create report" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Other addresses").fill("not an address");
  await dialog.getByRole("button", { name: "Create report" }).click();
  await expect(
    dialog.getByText("Enter a full email address, such as ada@example.com."),
  ).toBeVisible();
  await dialog.getByLabel("Other addresses").fill(outsider);
  await dialog.getByRole("button", { name: "Show preview" }).click();
  const preview = dialog.frameLocator("iframe");
  await expect(preview.getByRole("heading", { name: "Weekly report" })).toBeVisible();
  await dialog.getByRole("button", { name: "Create report" }).click();

  const row = page.getByRole("row", { name: /The whole workspace/ });
  // The table of a phone has the recipients in another cell.
  const shown = (text: string) => row.getByText(text).filter({ visible: true });
  await expect(shown(outsider)).toBeVisible();
  await expect(shown("not confirmed yet")).toBeVisible();
  await expectAccessible(page);

  const rise = page.getByRole("combobox", { name: "More clicks than usual" });
  await rise.click();
  await page.getByRole("option", { name: "3 times as many" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("The alerts were saved.")).toBeVisible();

  const mail = await findEmail(outsider, "/verify/report");
  const [confirm = ""] = /\/verify\/report\?t=[\w-]+/.exec(mail) ?? [];
  // Opening the link, as scanners of emails do, confirms nothing.
  await page.goto(confirm);
  await page.goto(`/app/${slug}/analytics/reports`);
  await expect(shown("not confirmed yet")).toBeVisible();
  await page.goto(confirm);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
  await page.goto(`/app/${slug}/analytics/reports`);
  await expect(shown("not confirmed yet")).toHaveCount(0);
  await expect(rise).toHaveText("3 times as many");

  const stop = confirm.replace("/verify/", "/optout/");
  expect((await send(siteOrigin, { path: stop })).status).toBe(200);
  await page.reload();
  await expect(shown("unsubscribed")).toHaveCount(0);
  const oneClick = await send(siteOrigin, {
    method: "POST",
    path: stop,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });
  expect(oneClick.status).toBe(200);
  await page.reload();
  await expect(shown("unsubscribed")).toBeVisible();

  await context.addCookies([{ name: "locale", value: "zh", url: siteOrigin }]);
  await page.reload();
  await expectFitsPhone(page);
  await expect(page.getByRole("heading", { name: "报告与告警" })).toBeVisible();
  await untilAlive(page);
  await page.getByRole("button", { name: "删除 整个工作区" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "删除" }).click();
  await expect(page.getByRole("heading", { name: "还没有邮件报告" })).toBeVisible();
});
