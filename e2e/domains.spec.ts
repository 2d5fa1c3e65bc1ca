import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { TestDns } from "../test/dns.ts";
import { send } from "../test/http-client.ts";
import { giveWorkspace } from "../test/workspaces.ts";
import { expectAccessible, siteOrigin, test, untilAlive } from "./journey.ts";

const dns = new TestDns();

test.beforeAll(() => dns.open(Number(process.env["TEST_DNS_PORT"])));
test.afterAll(() => dns.close());

/** The Location of a visit to a host, or its status. */
async function visit(host: string, path: string): Promise<string> {
  const { status, headers } = await send(siteOrigin, { path, headers: { host } });
  return headers.location ?? String(status);
}

async function recordOf(page: Page, type: string): Promise<[name: string, value: string]> {
  const record = page.getByRole("listitem").filter({ hasText: type });
  const texts: string[] = [];
  for (const label of ["Name", "Value"]) {
    await record.getByRole("button", { name: `Copy ${type}: ${label}` }).click();
    texts.push(await page.evaluate(() => navigator.clipboard.readText()));
  }
  return [texts[0] ?? "", texts[1] ?? ""];
}

test("a domain is added, proven in DNS, serves its links and no others, is handed over to another workspace, and goes", async ({
  page,
  context,
  account: { slug, userId },
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const zone = randomUUID().slice(0, 8);
  const host = `go.acme-${zone}.example`;

  await page.goto(`/app/${slug}/domains`);
  await untilAlive(page);
  await expect(page.getByRole("heading", { name: "No domains yet" })).toBeVisible();
  const shared = page.getByRole("region", { name: "Shared domains" });
  await expect(shared.getByRole("listitem")).toHaveText(new URL(siteOrigin).hostname);
  await page.getByRole("button", { name: "Add domain" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Domain").fill("https://no host");
  await dialog.getByRole("button", { name: "Add domain" }).click();
  await expect(dialog.getByText("Enter a full domain")).toBeVisible();
  await dialog.getByLabel("Domain").fill(`https://${host}/`);
  await dialog.getByRole("button", { name: "Add domain" }).click();

  await expect(page.getByRole("heading", { level: 1, name: host })).toBeVisible();
  await expect(page.getByText("Pending DNS")).toBeVisible();
  const [txtName, txtValue] = await recordOf(page, "TXT");
  const [cnameName, cnameValue] = await recordOf(page, "CNAME");
  expect([txtName, cnameName, cnameValue]).toEqual([`_fuxi.${host}`, host, "links.fuxi.example"]);
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText(`No TXT record found at ${txtName}.`)).toBeVisible();

  // The page detects them by itself.
  dns.set(txtName, { txt: [txtValue] }).set(cnameName, { cname: cnameValue });
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await expect(page.getByText(`${host} is active.`)).toBeVisible();
  await page.getByLabel("Link not found").fill("https://example.com/lost");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved")).toBeVisible();
  await page.getByRole("switch", { name: "Default for new links" }).click();
  await expect(page.getByText("Default", { exact: true })).toBeVisible();
  await expectAccessible(page);

  const created = await page.request.post("/api/links", {
    headers: { Origin: siteOrigin, "X-Fuxi-Workspace": slug },
    data: { url: "https://example.com/there", key: `fair-${zone}` },
  });
  expect(Object(await created.json()).domain).toBe(host);
  const path = `/fair-${zone}`;
  expect(await visit(`${host}:8080`, path)).toBe("https://example.com/there");
  expect(await visit(host, "/none")).toBe("https://example.com/lost");
  expect(await visit(new URL(siteOrigin).host, path)).toBe("404");

  const other = await giveWorkspace(userId);
  await page.reload();
  await untilAlive(page);
  await page.getByRole("button", { name: "Transfer" }).click();
  await expect(dialog.getByRole("combobox", { name: "Workspace" })).toHaveText("Acme");
  await dialog.getByRole("button", { name: "Transfer" }).click();
  await expect(page.getByRole("heading", { name: "No domains yet" })).toBeVisible();
  expect(await visit(host, path)).toBe("https://example.com/there");

  await page.goto(`/app/${other}/domains/${host}`);
  await untilAlive(page);
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  const sure = page.getByRole("alertdialog");
  await expect(sure.getByText("Its link stops working immediately")).toBeVisible();
  await sure.getByRole("button", { name: "Delete domain" }).click();
  await expect(page.getByRole("heading", { name: "No domains yet" })).toBeVisible();
  await expect.poll(() => visit(host, path)).toBe("404");
});
