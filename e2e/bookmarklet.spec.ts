/** From a page of another site to a short link of it, with the bookmarklet. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { expectAccessible, test, untilAlive } from "./journey.ts";
import { noticeIn } from "./link-form.ts";

test("the bookmarklet opens the form of a new link with the page, and creates nothing by itself", async ({
  page,
  workspace: { slug },
}) => {
  await page.goto(`/app/${slug}/settings/extension`);
  await untilAlive(page);
  const bookmark = page.getByRole("link", { name: "Shorten this page" });
  await expect(bookmark).toHaveAttribute("href", /^javascript:/);
  await expectAccessible(page);
  const extension = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download extension" }).click();
  expect((await extension).suggestedFilename()).toBe("fuxi-extension.zip");
  const code = (await bookmark.getAttribute("href")) ?? "";

  const site = createServer((_req, res) => {
    res.setHeader("Content-Type", "text/html; charset=utf-8");
    res.end("<!doctype html><title>Tea &amp; cake</title><h1>Tea</h1>");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  // Sound for a server that listens on a port.
  const { port } = site.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/tea?a=1&b=%26#cups`;
  await page.goto(url);
  const opening = page.context().waitForEvent("page");
  await page.evaluate(code.replace("javascript:", ""));
  const form = await opening;
  await untilAlive(form);
  const sheet = form.getByRole("dialog", { name: "Create a link" });
  await expect(sheet.getByLabel("Destination", { exact: true })).toHaveValue(url);
  await expect(sheet.getByLabel("Title", { exact: true })).toHaveValue("Tea & cake");
  expect(new URL(form.url()).search).toBe("");
  expect(await form.evaluate("window.opener")).toBeNull();
  await sheet.getByRole("button", { name: "Create link" }).click();
  await expect(noticeIn(form)).toBeVisible();
  site.close();
});
