import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { run } from "../scripts/processes.ts";

/** A process is started, and loads hundreds of modules. */
const timeoutMs = 60_000;

/** Records every module that is loaded from here on. */
const hooks = `export async function load(url, context, next) {
  process._rawDebug("LOADED " + url);
  return next(url, context);
}`;

/** The packages that a process loads at startup: its entry imports the same rooms. */
async function packagesOf(worker: string): Promise<string[]> {
  const entry = readFileSync(new URL(`./${worker}.ts`, import.meta.url), "utf8");
  const rooms = [...entry.matchAll(/from "(#lib\/[\w/-]+)"/g)].map(([, room = ""]) => room);
  const script = `
    const { register } = await import("node:module");
    register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hooks)}));
    for (const room of ${JSON.stringify(rooms)}) await import(room);
    process.exit(0);`;
  const { code, stderr } = await run(process.execPath, [
    "--import",
    "tsx",
    "--input-type=module",
    "-e",
    script,
  ]);
  expect(code, stderr).toBe(0);
  const loaded = stderr.match(/^LOADED .*node_modules\/((@[^/]+\/)?[^/]+)/gm) ?? [];
  return [...new Set(loaded.map((line) => line.replace(/^.*node_modules\//, "")))].sort();
}

test("the redirect alone loads no framework, no schema library and no object mapper", {
  timeout: timeoutMs,
}, async () => {
  const packages = await packagesOf("redirect");
  expect(packages).toContain("ioredis");
  const heavy = packages.filter((name) =>
    /^(next|react|hono|zod|bullmq|prisma)|^@(hono|prisma)/.test(name),
  );
  expect(heavy).toEqual([]);
});

test("an import, which has a process of its own, loads no object mapper", {
  timeout: timeoutMs,
}, async () => {
  const packages = await packagesOf("import");
  expect(packages).toContain("ioredis");
  expect(packages.filter((name) => /^@?prisma/.test(name))).toEqual([]);
});
