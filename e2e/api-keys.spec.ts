import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "@playwright/test";
import { expectAccessible, signUp, soon, test } from "./journey.ts";

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

test("a key gets permissions, an end and addresses, and its first request works as shown", async ({
  page,
}) => {
  const { slug } = await signUp(page);
  await page.goto(`/app/${slug}/settings/api-keys`);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Newsletter server");
  await dialog.getByText("Custom", { exact: true }).click();
  await dialog.getByLabel("Expires").click();
  await page.getByRole("option", { name: "In 30 days" }).click();
  await dialog.getByLabel("Allowed IP addresses").fill("everywhere");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Enter IP addresses or networks")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Allowed IP addresses").fill("127.0.0.0/8\n::1");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Select at least one permission.")).toBeVisible();
  await dialog.getByLabel("Create and edit links").check();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Create a link with it")).toBeVisible();
  await expectAccessible(page);
  const { url, init } = requestOf((await dialog.locator("pre").textContent()) ?? "");
  const answer = await fetch(url, init);
  expect([answer.status, (await answer.json()).url]).toEqual([200, "https://example.com"]);
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();
  const row = page.getByRole("row", { name: /Newsletter server/ });
  await expect(row).toContainText("1 permission · From 2 addresses");
});

test("a key that only reads shows a request that reads", async ({ page }) => {
  const { slug } = await signUp(page);
  await page.goto(`/app/${slug}/settings/api-keys`);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Dashboard on the wall");
  await dialog.getByText("Read only", { exact: true }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Read links with it")).toBeVisible();
  const { url, init } = requestOf((await dialog.locator("pre").textContent()) ?? "");
  expect((await fetch(url, init)).status).toBe(200);
  const headers = [...(init.headers as [string, string][]), ["Content-Type", "application/json"]];
  const body = JSON.stringify({ url: "https://example.com" });
  const refused = await fetch(url, { method: "POST", headers: Object.fromEntries(headers), body });
  expect(refused.status).toBe(403);
});

/** The names of the tools that an assistant gets. */
async function toolsOver(transport: StdioClientTransport | StreamableHTTPClientTransport) {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

test("the configurations for assistants work as shown, over HTTP and stdio", async ({
  page,
  workspace: { slug },
}, info) => {
  await page.goto(`/app/${slug}/settings/api-keys`);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Assistant");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const shown = async (name: string) => {
    await dialog.getByRole("tab", { name }).click();
    await expect(dialog.getByRole("tab", { name, selected: true })).toBeVisible();
    await expectAccessible(page);
    await expect(dialog.getByRole("button", { name: "Copy configuration" })).toBeVisible();
    return JSON.parse((await dialog.locator("pre").textContent()) ?? "").mcpServers.fuxi;
  };
  const { url, headers } = await shown("MCP over HTTP");
  const http = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  expect(await toolsOver(http)).toContain("create_link");
  await page.setViewportSize({ width: 390, height: 844 });
  const { command, args, env } = await shown("MCP over stdio");
  const own = {
    PATH: process.env["PATH"] ?? "",
    HOME: info.outputPath(),
    npm_config_cache: info.outputPath("npm"),
  };
  const stdio = new StdioClientTransport({ command, args, env: { ...own, ...env } });
  expect(await toolsOver(stdio)).toContain("create_link");
});

test("a limited key is made, used, edited, rotated and revoked in the dashboard", async ({
  page,
}) => {
  test.slow();
  const { slug } = await signUp(page);
  await page.goto(`/app/${slug}/folders`);
  for (const name of ["Campaigns", "Private"]) {
    await page.getByRole("button", { name: "Create folder" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Create folder" }).click();
    await expect(page.getByRole("row", { name: new RegExp(name) })).toBeVisible();
  }
  await page.goto(`/app/${slug}/settings/api-keys`);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shop");
  await dialog.getByLabel("Campaigns").check();
  await dialog.getByLabel("Calls per minute").fill("0");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Enter a number from 1 to 100,000")).toBeVisible();
  await dialog.getByLabel("Calls per minute").fill("500");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const first = await dialog.getByLabel("API key “Shop”").inputValue();
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();

  const api = new URL("/api/links", page.url()).href;
  const ask = async (key: string, body?: object) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      "X-Fuxi-App": "shop/1.2",
    };
    const call = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    return (await fetch(api, call)).status;
  };
  expect(await ask(first)).toBe(200);
  expect(await ask(first, { url: "https://example.com/outside" })).toBe(403);

  await page.getByRole("link", { name: "Shop" }).click();
  await expect(page.getByRole("heading", { name: "Shop" })).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("row", { name: /shop 1.2/ })).toBeVisible(soon);
  }).toPass();
  await expect(page.getByRole("main").getByText("Campaigns", { exact: true })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("Campaigns").uncheck();
  await dialog.getByLabel("Calls per minute").fill("100000");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Key saved")).toBeVisible();
  expect(await ask(first, { url: "https://example.com/inside" })).toBe(200);

  const load = startCalls(() => ask(first));
  await page.getByRole("button", { name: "Rotate" }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Rotate" }).click();
  const second = await dialog.getByLabel("API key “Shop”").inputValue();
  const later = startCalls(() => ask(second));
  await Promise.all([load.enough(), later.enough()]);
  expect([...(await load.stop()), ...(await later.stop())].filter((code) => code !== 200)).toEqual(
    [],
  );
  await dialog.getByRole("button", { name: "I’ve saved it" }).click();
  await expect(page.getByText(/The previous key fuxi_.* works until/)).toBeVisible();
  expect([await ask(first), await ask(second)]).toEqual([200, 200]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);

  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("No API keys yet")).toBeVisible();
  expect([await ask(first), await ask(second)]).toEqual([401, 401]);
});

/** Calls without a pause, from two clients at once. */
function startCalls(call: () => Promise<number>) {
  const codes: number[] = [];
  let isStopped = false;
  const client = async () => {
    while (!isStopped) codes.push(await call());
  };
  const clients = [client(), client()];
  return {
    enough: () => expect.poll(() => codes.length, { timeout: 120_000 }).toBeGreaterThan(50),
    stop: async () => {
      isStopped = true;
      await Promise.all(clients);
      return codes;
    },
  };
}
