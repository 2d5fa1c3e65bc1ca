/** A webhook from its form to its end, with a local receiver that verifies signatures. */
import { expect } from "@playwright/test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { startWebhookReceiver } from "../test/webhooks.ts";
import { expectAccessible, expectFitsPhone, test } from "./journey.ts";

test("a webhook is made, tested, resent, edited, paused, rotated and deleted", async ({
  page,
  workspace,
}) => {
  const receiver = await startWebhookReceiver();
  const newest = () => {
    const { body = "", headers = {} } = receiver.got.at(-1) ?? {};
    return { body, headers: headers as Record<string, string> };
  };
  const base = `/app/${workspace.slug}`;
  let secret = "";

  await test.step("create it", async () => {
    await page.goto(`${base}/settings/webhooks`);
    await expect(page.getByText("No webhooks yet")).toBeVisible();
    await page.getByRole("button", { name: "Create webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("CRM");
    await dialog.getByLabel("URL").fill("nowhere");
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    await expect(dialog.getByText("Select at least one event.")).toBeVisible();
    await expect(dialog.getByText("Enter a full URL")).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByLabel("Link created").check();
    await dialog.getByLabel("Grouped clicks").check();
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    secret = await dialog.getByLabel("Secret", { exact: true }).inputValue();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await expect(page.getByRole("heading", { name: "CRM" })).toBeVisible();
    await expect(page.getByText("No deliveries yet")).toBeVisible();
  });

  await test.step("send a test event, and see its response", async () => {
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(page.getByText(/^Delivered: status 204/)).toBeVisible({ timeout: 120_000 });
    const { body, headers } = newest();
    expect(new StandardWebhook(secret).verify(body, headers)).toMatchObject({
      type: "link.created",
    });
    const deliveries = page.getByRole("list", { name: "Deliveries" });
    await deliveries.getByText("Link created").click();
    await expect(deliveries.getByText('"type": "link.created"')).toBeVisible();
    await expectAccessible(page);
    await deliveries.getByRole("button", { name: "Send again" }).click();
    await expect.poll(() => receiver.got.length).toBe(2);
    expect(newest().body).toBe(receiver.got[0]?.body);
  });

  await test.step("find a delivery that fails", async () => {
    receiver.answer = () => 500;
    await workspace.make("/links", { url: "https://example.com/autumn" });
    await expect(async () => {
      await page.goto(page.url().split("?")[0] ?? "");
      await expect(page.getByText(/^No event has been accepted since/)).toBeVisible({
        timeout: 2_000,
      });
    }).toPass();
    await page.getByLabel("Filter by status").click();
    await page.getByRole("option", { name: "Waiting" }).click();
    const deliveries = page.getByRole("list", { name: "Deliveries" });
    await expect(deliveries.getByText(/^status 500 ·/)).toBeVisible();
    await expect(deliveries.getByText("Delivered", { exact: true })).toHaveCount(0);
    receiver.answer = () => 204;
  });

  await test.step("pause, activate and rotate", async () => {
    await page.getByRole("button", { name: "Pause" }).click();
    await expect(page.getByText("This webhook is paused.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Send test event" })).toBeDisabled();
    await page.getByRole("button", { name: "Activate" }).click();
    await expect(page.getByText("This webhook is paused.")).toBeHidden();
    await page.getByRole("button", { name: "Rotate secret" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Rotate secret" }).click();
    const next = await dialog.getByLabel("Secret", { exact: true }).inputValue();
    expect(next).not.toBe(secret);
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await page.getByRole("button", { name: "Send test event" }).click();
    await expect(page.getByText(/^Delivered: status 204/)).toBeVisible({ timeout: 120_000 });
    const { body, headers } = newest();
    for (const one of [secret, next]) new StandardWebhook(one).verify(body, headers);
  });

  await test.step("on a phone, limit it to chosen links, and delete it", async () => {
    await expectFitsPhone(page);
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Only some links").click();
    await dialog.getByLabel("Only links that choose this webhook").click();
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Webhook saved")).toBeVisible();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await expect(page.getByText("No webhooks yet")).toBeVisible();
  });
  await receiver.close();
});
