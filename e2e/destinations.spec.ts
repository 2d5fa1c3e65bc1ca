import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { expectAccessible, siteOrigin, test } from "./journey.ts";

const site = { status: 200, body: JSON.stringify({ "1001": "shop.example" }) };
const server = createServer((_req, res) => res.writeHead(site.status).end(site.body));

test.beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
test.afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** As the signed-in person. */
function headersOf(slug: string): Record<string, string> {
  return { Origin: siteOrigin, "X-Fuxi-Workspace": slug };
}

test("a list is read from a URL, breaks and recovers; entries are added; existing links are reported and turned off; the form of a link names the host and the list", async ({
  page,
  openWorkspace: { slug, make },
}) => {
  const old = await make<{ shortLink: string }>("/links", { url: "https://old.example/" });
  const shown = old.shortLink.replace(/^https?:\/\//, "");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Allowed destinations" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Allowed destinations" })).toBeVisible();
  const allow = page.getByRole("region", { name: "Allow list" });
  await expect(allow.getByText("Not in use")).toBeVisible();

  const { port } = server.address() as AddressInfo;
  await allow.getByLabel("Source").fill(`http://127.0.0.1:${port}/missing`);
  site.status = 404;
  await allow.getByRole("button", { name: "Save source" }).click();
  await expect(allow.getByText("The URL returns status 404.")).toBeVisible();
  site.status = 200;
  await allow.getByLabel("Source").fill(`http://127.0.0.1:${port}/hosts.json`);
  await allow.getByRole("button", { name: "Save source" }).click();
  await expect(allow.getByText("1 host from the source")).toBeVisible();
  await expect(allow.getByText("Active", { exact: true })).toBeVisible();

  const create = (url: string) =>
    page.request.post("/api/links", { headers: headersOf(slug), data: { url } });
  expect((await create("https://shop.example/a")).status()).toBe(200);
  expect((await create("https://own.example/")).status()).toBe(422);

  site.body = '["https://shop.example"]';
  await allow.getByRole("button", { name: "Read now" }).click();
  await expect(allow.getByText("“https://shop.example” starts with a scheme.")).toBeVisible();
  await expect(allow.getByText("0 hosts from the source")).toBeVisible();
  site.body = '["shop.example", "*.shop.example"]';
  await allow.getByRole("button", { name: "Read now" }).click();
  await expect(allow.getByText("2 hosts from the source")).toBeVisible();
  await expect(allow.getByText("starts with a scheme.")).toBeHidden();

  await allow.getByLabel("Add entries").fill("own.example\nexample.com:443");
  await allow.getByRole("button", { name: "Add entries" }).click();
  await expect(allow.getByText("“example.com:443” has a port.")).toBeVisible();
  await allow.getByLabel("Add entries").fill("own.example\nexample.com/shop");
  await allow.getByRole("button", { name: "Add entries" }).click();
  const entries = allow.getByRole("list", { name: "Entries" }).getByRole("listitem");
  await expect(entries).toHaveText(["example.com/shop", "own.example"]);
  await allow.getByRole("button", { name: "Remove example.com/shop" }).click();
  await expect(entries).toHaveText(["own.example"]);
  expect((await create("https://own.example/")).status()).toBe(200);

  const report = page.getByRole("region", { name: "Existing links" });
  await report.getByRole("button", { name: "Check links" }).click();
  await expect(report.getByRole("row", { name: shown })).toContainText("Not on the allow list");
  await expect(report.getByRole("status")).toHaveText("1 refused link among 3 links");
  await expectAccessible(page);
  await report.getByRole("button", { name: "Turn off all" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Turn off all" }).click();
  await expect(page.getByText("1 link turned off")).toBeVisible();
  await report.getByRole("button", { name: "Check links" }).click();
  await expect(report.getByRole("status")).toHaveText("No refused links among 3 links");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone for 1 link")).toBeVisible();

  const blocked = { kind: "block", add: ["*.blocked.example"] };
  const changed = await page.request.patch("/api/destinations", {
    headers: headersOf(slug),
    data: blocked,
  });
  expect(changed.ok()).toBe(true);
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Create a link" });
  await dialog.getByLabel("Destination").fill("https://www.blocked.example/");
  await dialog.getByRole("button", { name: "Create link" }).click();
  await expect(dialog.getByLabel("Destination")).toHaveAccessibleDescription(
    /www\.blocked\.example is on the block list of this workspace\./,
  );
});
