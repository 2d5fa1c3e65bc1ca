import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { passCheckHour } from "../test/broken-destinations.ts";
import {
  click,
  expectAccessible,
  expectFitsPhone,
  siteOrigin,
  soon,
  test,
  untilAlive,
} from "./journey.ts";

async function openBrokenSite() {
  const server = createServer((_req, res) => void res.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { server, port };
}

test("a broken destination is found, listed, checked again, and its host replaced and put back", async ({
  page,
  context,
  workspace: { slug, make },
}) => {
  const { server, port } = await openBrokenSite();
  const old = `old-${slug}.localhost`;
  const url = `http://${old}:${port}/sale`;
  const link = await make("/links", { url, key: `sale-${slug}`, title: "Summer sale" });
  await make("/links", { url: "https://example.com/", key: `other-${slug}` });
  try {
    await test.step("the page of the link checks it", async () => {
      await page.goto(`/app/${slug}/links/${link.id}`);
      await untilAlive(page);
      await expect(page.getByText("Not checked yet")).toBeVisible();
      await page.getByRole("button", { name: "Check again" }).click();
      await expect(page.getByText("The last check failed.")).toBeVisible({ timeout: 60_000 });
      await expectAccessible(page);
    });

    await test.step("after a second failure it is in the list, with a badge", async () => {
      await passCheckHour(old);
      await expect(async () => {
        await page.reload();
        await expect(page.getByText("Page not found (404)")).toBeVisible(soon);
      }).toPass({ timeout: 60_000 });
      await page.goto(`/app/${slug}/links?status=broken`);
      await untilAlive(page);
      const rows = page.getByRole("list", { name: "Links", exact: true }).getByRole("listitem");
      await expect(rows.filter({ hasText: `sale-${slug}` })).toContainText("Broken destination");
      await expect(rows.filter({ hasText: `other-${slug}` })).toHaveCount(0);
      await expectAccessible(page);
    });

    await test.step("its host is replaced, as the preview says, and put back", async () => {
      await page.getByRole("checkbox", { name: "Select all links on this page" }).check();
      await page.getByRole("button", { name: "Replace host" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("New host").fill("https://new.example/");
      await dialog.getByRole("button", { name: "Preview" }).click();
      await expect(dialog.getByText("Enter only a host, such as shop.example.com.")).toBeVisible();
      await dialog.getByLabel("New host").fill("new.example");
      await dialog.getByRole("button", { name: "Preview" }).click();
      await expect(dialog.getByText("1 link would change:")).toBeVisible();
      await expect(dialog.getByText(`http://new.example:${port}/sale`)).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Replace", exact: true }).click();
      await expect(page.getByText("Host replaced in 1 link")).toBeVisible();
      await page.getByRole("button", { name: "Undo" }).click();
      await expect(page.getByText("Undone for 1 link")).toBeVisible();
    });

    await test.step("in Chinese, on a phone", async () => {
      await context.addCookies([{ name: "locale", value: "zh", url: siteOrigin }]);
      await page.goto(`/app/${slug}/links/${link.id}`);
      await expectFitsPhone(page);
      await expect(page.getByText("页面不存在 (404)")).toBeVisible();
      await page.goto(`/app/${slug}/links?status=broken`);
      await untilAlive(page);
      await expectFitsPhone(page);
    });
  } finally {
    server.close();
  }
});

test("a campaign has one page checked after a recipient opened a link", async ({
  page,
  context,
  workspace: { slug, make },
}) => {
  const { server, port } = await openBrokenSite();
  const host = `offer-${slug}.localhost`;
  const { id } = await make("/campaigns", {
    name: "Autumn",
    kind: "service",
    template: "Hi, {link} now",
    destination: `http://${host}:${port}/offer?r={recipientId}`,
    defaultCountry: "US",
  });
  const rows = ["a", "b"].map((messageId, at) => ({ messageId, phone: `+1202555010${at}` }));
  const [first] = await make<{ shortLink: string }[]>(`/campaigns/${id}/recipients`, rows);
  const base = `/app/${slug}/campaigns/${id}`;
  try {
    await test.step("the check is turned on, although there are recipients", async () => {
      await page.goto(`${base}/message`);
      await untilAlive(page);
      await page.getByRole("switch", { name: "Check destination" }).click();
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("Not checked yet")).toBeVisible();
      await page.getByRole("button", { name: "Check again" }).click();
      await expect(page.getByText("Nobody has opened a link of this campaign yet.")).toBeVisible();
      await expectAccessible(page);
    });

    await test.step("after a visit it is checked, and after a second failure broken", async () => {
      await click(page, first?.shortLink ?? "");
      await expect(async () => {
        await page.getByRole("button", { name: "Check again" }).click();
        await expect(page.getByText("Checking…")).toBeVisible(soon);
      }).toPass();
      await expect(page.getByText("The last check failed.")).toBeVisible({ timeout: 60_000 });
      await passCheckHour(host);
      await expect(async () => {
        await page.reload();
        await expect(page.getByText("Page not found (404)")).toBeVisible(soon);
      }).toPass({ timeout: 60_000 });
      await expectAccessible(page);
      await page.goto(`/app/${slug}/links?status=broken`);
      await untilAlive(page);
      const links = page.getByRole("list", { name: "Links", exact: true });
      await expect(links.getByText("Broken destination", { exact: true })).toHaveCount(rows.length);
      await page.getByRole("button", { name: /Notifications/ }).click();
      await page.getByText("The destination of the campaign “Autumn” on", { exact: false }).click();
      await page.waitForURL(`**${base}/**`);
    });

    await test.step("in Chinese, on a phone", async () => {
      await context.addCookies([{ name: "locale", value: "zh", url: siteOrigin }]);
      await page.goto(`${base}/message`);
      await untilAlive(page);
      await expect(page.getByText("页面不存在 (404)")).toBeVisible();
      await expectFitsPhone(page);
      await expectAccessible(page);
    });
  } finally {
    server.close();
  }
});
