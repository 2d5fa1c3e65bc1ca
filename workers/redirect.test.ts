import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { run } from "../scripts/processes.ts";

/** Writes down every module that is loaded from here on. */
const hooks = `export async function load(url, context, next) {
  process._rawDebug("LOADED " + url);
  return next(url, context);
}`;

/** The packages that the redirect loads when it runs alone: its entry imports the same rooms, and begins to serve. */
async function packagesOf(rooms: string[]): Promise<string[]> {
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

test("the redirect alone loads no framework, no schema library and no object mapper", async () => {
  const entry = readFileSync(new URL("./redirect.ts", import.meta.url), "utf8");
  const rooms = [...entry.matchAll(/from "(#lib\/[\w/-]+)"/g)].map(([, room = ""]) => room);
  expect(rooms).toContain("#lib/redirect/visits");
  const packages = await packagesOf(rooms);
  expect(packages).toContain("ioredis");
  const heavy = packages.filter((name) =>
    /^(next|react|hono|zod|bullmq|prisma)|^@(hono|prisma)/.test(name),
  );
  expect(heavy).toEqual([]);
});
