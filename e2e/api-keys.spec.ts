import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "@playwright/test";
import { pauseKeys } from "../test/workspaces.ts";
import { expectAccessible, siteOrigin, test, untilAlive } from "./journey.ts";

/** The words of a curl command as a shell reads them: quoted ones, and those between blanks. */
function requestOf(command: string): { url: string; init: RequestInit } {
  const words = [...command.replaceAll("\\\n", " ").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
  const after = (flag: string) => words.flatMap((word, at) => (word === flag ? words[at + 1] : []));
  const headers = after("-H").map((line) => (line ?? "").split(": ") as [string, string]);
  const [body] = after("-d");
  return {
    url: words.find((word) => word.startsWith("http")) ?? "",
    init: { method: after("-X")[0] ?? "GET", headers, ...(body ? { body } : {}) },
  };
}

test("a key gets permissions, folders, an end and addresses, works as shown, and is edited, rotated and revoked", async ({
  page,
  workspace: { slug, make },
}) => {
  for (const name of ["Campaigns", "Private"]) await make("/folders", { name });
  await page.goto(`/app/${slug}/settings/api-keys`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  const create = dialog.getByRole("button", { name: "Create key" });
  const api = new URL("/api/links", page.url()).href;
  const ask = async (key: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const call = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    return (await fetch(api, call)).status;
  };

  await test.step("wrong fields are said in the form", async () => {
    await dialog.getByLabel("Name").fill("Shop");
    await dialog.getByText("Custom", { exact: true }).click();
    await dialog.getByLabel("Expires").click();
    await page.getByRole("option", { name: "In 30 days" }).click();
    await dialog.getByLabel("Allowed IP addresses").fill("everywhere");
    await dialog.getByLabel("Calls per minute").fill("0");
    await create.click();
    await expect(dialog.getByText("Enter IP addresses or networks")).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel("Allowed IP addresses").fill("127.0.0.0/8\n::1");
    await dialog.getByLabel("Calls per minute").fill("500");
    await create.click();
    await expect(dialog.getByText("Select at least one permission.")).toBeVisible();
    await dialog.getByLabel("Read links").check();
    await dialog.getByLabel("Create and edit links").check();
    await create.click();
    await expect(dialog.getByText("Create a link with it")).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("its first request works as shown", async () => {
    const { url, init } = requestOf((await dialog.locator("pre").textContent()) ?? "");
    const answer = await fetch(url, init);
    expect([answer.status, (await answer.json()).url]).toEqual([200, "https://example.com"]);
  });

  const first = await dialog.getByLabel("API key “Shop”").inputValue();
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();
  const row = page.getByRole("row", { name: /Shop/ });
  await expect(row).toContainText("2 permissions · From 2 addresses");
  await page.getByRole("link", { name: "Shop" }).click();
  await expect(page.getByRole("heading", { name: "Shop" })).toBeVisible();
  await expectAccessible(page);

  await test.step("edited, it reaches one folder only", async () => {
    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Campaigns", { exact: true }).check();
    await dialog.getByLabel("Calls per minute").fill("100000");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Key saved")).toBeVisible();
    await expect(page.getByRole("main").getByText("Campaigns", { exact: true })).toBeVisible();
    // Another process may know the key for a second.
    await expect.poll(() => ask(first, { url: "https://example.com/outside" })).toBe(403);
  });

  await test.step("rotated, both secrets work, and none once it is revoked", async () => {
    await page.getByRole("button", { name: "Rotate" }).click();
    await dialog.getByRole("button", { name: "Rotate" }).click();
    const second = await dialog.getByLabel("API key “Shop”").inputValue();
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await expect(page.getByText(/The previous key fuxi_.* works until/)).toBeVisible();
    expect([await ask(first), await ask(second)]).toEqual([200, 200]);
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await expect(page.getByText("No API keys yet")).toBeVisible();
    await expect.poll(async () => [await ask(first), await ask(second)]).toEqual([401, 401]);
  });
});

test("a key of a person who left says why it is paused, and is resumed", async ({
  page,
  workspace: { slug, make },
}) => {
  const { id, key } = await make<{ id: string; key: string }>("/api-keys", { name: "Shop" });
  await pauseKeys(slug);
  const ask = async () => {
    const headers = { Authorization: `Bearer ${key}` };
    return (await fetch(`${siteOrigin}/api/links`, { headers })).status;
  };
  expect(await ask()).toBe(403);
  await page.goto(`/app/${slug}/settings/api-keys/${id}`);
  await untilAlive(page);
  await expect(page.getByText("was removed at the sign-in provider")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "API keys" }).last().click();
  await expect(page.getByText("Paused: Shop")).toBeVisible();
  await expect(page.getByRole("row", { name: /Shop/ })).toContainText("Paused");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Resume Shop" }).click();
  await expect(page.getByText("“Shop” works again")).toBeVisible();
  await expect(page.getByText("Paused")).toHaveCount(0);
  await expect.poll(ask).toBe(200);
});

/** The names of the tools that an assistant gets. */
async function toolsOver(transport: StreamableHTTPClientTransport) {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

test("a key that only reads shows a request that reads, and configurations for assistants that work", async ({
  page,
  workspace: { slug },
}) => {
  await page.goto(`/app/${slug}/settings/api-keys`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Assistant");
  await dialog.getByText("Read only", { exact: true }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Read links with it")).toBeVisible();
  const { url: shownUrl, init } = requestOf((await dialog.locator("pre").textContent()) ?? "");
  expect((await fetch(shownUrl, init)).status).toBe(200);

  const shown = async (name: string) => {
    await dialog.getByRole("tab", { name }).click();
    await expect(dialog.getByRole("tab", { name, selected: true })).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Copy configuration" })).toBeVisible();
    return JSON.parse((await dialog.locator("pre").textContent()) ?? "").mcpServers.fuxi;
  };
  const { url, headers } = await shown("MCP over HTTP");
  const http = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  expect(await toolsOver(http)).toContain("list_links");
  await expectAccessible(page);
  // That npx starts this package is a test of the command line.
  const { command, args } = await shown("MCP over stdio");
  expect([command, args.join(" ")]).toEqual(["npx", expect.stringContaining(new URL(url).origin)]);
});
