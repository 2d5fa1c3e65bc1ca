import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compiledProcess } from "../../scripts/compile.ts";
import { itemise } from "../../scripts/deployment.ts";
import { endChild } from "../../scripts/processes.ts";
import { runAsItStands } from "../../test/documents.ts";
import { openApi, send } from "../../test/http-client.ts";
import { apiKey, openStage, type Stage, settledClicks } from "./stage.ts";

/** Outside of the checkout, whose packages would otherwise be found. */
const folder = mkdtempSync(join(tmpdir(), "fuxi-deployment-"));
const children: ChildProcess[] = [];
let stage: Stage;
let url: string;

beforeAll(async () => {
  stage = await openStage();
  const { status, stdout, stderr } = await runAsItStands(
    `npm run build:deployment -- ${folder}`,
    {},
  );
  expect(status, `${stdout}${stderr}`).toBe(0);
  url = String(stage.env["FUXI_URL"]);
  await Promise.all(["server.ts", "workers/index.ts", "workers/web.ts"].map(startDeployed));
}, 900_000);

afterAll(async () => {
  for (const child of children) await endChild(child, "SIGTERM", 60_000);
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startDeployed(entry: string): Promise<void> {
  const child = spawn(process.execPath, compiledProcess(entry), {
    cwd: folder,
    env: stage.env,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  children.push(child);
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", () => reject(new Error(`${entry} ended before it was ready`)));
  });
}

test("front, worker and web of a deployment create, redirect and count", async () => {
  const call = openApi(url, apiKey);
  const { status, body } = await call("POST", "/links", { url: "https://example.com/deployed" });
  expect(status, JSON.stringify(body)).toBe(200);
  const { key } = body as { key: string };
  const visit = await send(`${url}/${key}`, {
    headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" },
  });
  expect([visit.status, visit.headers.location]).toEqual([302, "https://example.com/deployed"]);
  expect(await settledClicks(stage, key, 1)).toBe(1);
});

test("its pages, guides, programs and images are complete", async () => {
  const signIn = await send(`${url}/signin`);
  expect(signIn.status).toBe(200);
  const [style = ""] = /\/_next\/static\/[^"]+\.css/.exec(signIn.text) ?? [];
  expect((await send(`${url}${style}`)).status, style).toBe(200);
  for (const path of ["/", "/docs", "/docs/start", "/cli.tgz", "/extension.zip"]) {
    expect([path, (await send(`${url}${path}`)).status]).toEqual([path, 200]);
  }
  expect(signIn.text).toContain("</html>");
});

test("its scripts run without the packages of the tool chain", () => {
  const npm = (script: string, ...args: string[]) =>
    execFileSync("npm", ["run", "--silent", script, "--", ...args], {
      cwd: folder,
      env: stage.env,
      encoding: "utf8",
    });
  expect(npm("db:migrate")).toContain("up to date");
  expect(npm("fuxi", "stats", "--json")).toContain("links");
  for (const name of [
    "tsx",
    "esbuild",
    "typescript",
    "vitest",
    "prisma",
    "lighthouse",
    "@biomejs",
  ]) {
    expect([name, existsSync(join(folder, "node_modules", name))]).toEqual([name, false]);
  }
});

test("it carries less than 450 MB", () => {
  const items = itemise(folder);
  const total = items.reduce((sum, { megabytes }) => sum + megabytes, 0);
  expect(total, JSON.stringify(items)).toBeLessThan(450);
});
