/** The official inspector of the Model Context Protocol, which npm fetches. Only in longer runs. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { run } from "../../scripts/processes.ts";
import { address, apiKey, origin, requestRaw } from "../../test/contract-server.ts";

const inspector = "@modelcontextprotocol/inspector@2.12.0";
const folder = mkdtempSync(join(tmpdir(), "fuxi-inspector-"));
const runMs = 120_000;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a method of the server at /api/mcp answers. */
async function inspect(method: string, ...args: string[]): Promise<Record<string, unknown>> {
  const server = [`${origin.origin}/api/mcp`, "--header", `Authorization: Bearer ${apiKey}`];
  const asked = ["--yes", inspector, "--cli", ...server, "--method", method, ...args];
  const { code, stdout, stderr } = await run("npx", asked, { cwd: folder, timeoutMs: runMs });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

test.runIf(process.env["TEST_LONG"])(
  "the official inspector lists tools, resources and prompts, and creates a link",
  async () => {
    const { tools } = await inspect("tools/list");
    expect(tools).toContainEqual(expect.objectContaining({ name: "create_link" }));
    const { prompts } = await inspect("prompts/list");
    expect(prompts).toHaveLength(2);
    const { resourceTemplates } = await inspect("resources/templates/list");
    expect(resourceTemplates).toHaveLength(2);
    const url = address("inspector");
    const made = await inspect(
      ...(["tools/call", "--tool-name", "create_link", "--tool-arg", `url=${url}`] as const),
    );
    const { link } = Object(made["structuredContent"]);
    const { headers } = await requestRaw(new URL(link.shortLink).pathname);
    expect(headers["location"]).toBe(url);
  },
  4 * runMs,
);
