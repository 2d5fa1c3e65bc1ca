import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { send } from "../test/http-client.ts";
import {
  desktopAgent,
  expectAccessible,
  expectFitsPhone,
  siteOrigin,
  soon,
  test,
  untilAlive,
} from "./journey.ts";

test("a misprinted slug is listed with the link that visitors meant, and created with its destination", async ({
  page,
  context,
  workspace: { slug, make },
}) => {
  const host = `go-${randomUUID().slice(0, 8)}.localhost`;
  await make("/domains", { slug: host });
  await make("/links", { url: "https://example.com/sale", domain: host, key: "summer-sale" });
  const visit = (path: string) =>
    send(siteOrigin, { path, headers: { host, "user-agent": desktopAgent } });
  for (const path of ["/sumer-sale", "/sumer-sale", "/flyer"]) {
    expect((await visit(path)).status).toBe(404);
  }

  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  await page.getByRole("link", { name: "Missed links" }).click();
  await page.waitForURL("**/links/missed");
  const row = page.getByRole("row", { name: /\/sumer-sale/ });
  // The redirect writes misses about once a second.
  await expect(async () => {
    await page.reload();
    await expect(row.getByRole("cell", { name: "2", exact: true })).toBeVisible(soon);
  }).toPass();
  await untilAlive(page);
  await expect(row.getByText("Did you mean summer-sale?")).toBeVisible();
  await expectAccessible(page);

  await context.addCookies([{ name: "locale", value: "zh", url: siteOrigin }]);
  await page.reload();
  await expectFitsPhone(page);
  await expect(row.getByText("是否想访问 summer-sale？")).toBeVisible();
  await context.addCookies([{ name: "locale", value: "en", url: siteOrigin }]);
  await page.reload();
  await untilAlive(page);

  await row.getByRole("button", { name: "Create the link sumer-sale" }).click();
  const form = page.getByRole("dialog");
  await expect(form.getByLabel("Destination")).toHaveValue("https://example.com/sale");
  await form.getByRole("button", { name: "Create link" }).click();
  await expect(row.getByText("This link exists now")).toBeVisible();
  expect((await visit("/sumer-sale")).headers.location).toBe("https://example.com/sale");

  await page.goto(`/app/${slug}/domains/${host}`);
  await untilAlive(page);
  await page.getByRole("link", { name: "Visits of links that don’t exist" }).click();
  await expect(page.getByRole("row", { name: /\/flyer/ })).toBeVisible();
  await page.goto(`/app/${slug}/links/missed?domain=other.example`);
  await expect(page.getByRole("heading", { name: "No missed links" })).toBeVisible();
  await expectAccessible(page);
});
