/**
 * `next build`, only when its inputs changed since the last one.
 *
 * The stamp is written after a complete build, so an interrupted one is repeated. Two starts from one checkout would
 * overwrite each other's pages; the second waits for the first and then finds nothing to do.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Advice, hasErrorCode, isAlive } from "./processes.ts";
import { beginStep } from "./progress.mjs";

/** The inputs of pages; tests and the generated database client are not. */
const sources = [
  "app",
  "components",
  "lib",
  "public",
  "instrumentation-client.ts",
  "instrumentation.ts",
  "next.config.ts",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];
const outside = /\.test\.tsx?$|(^|\/)generated\//;
const stampFile = join(".next", "fuxi-sources");
const lockFile = join(".fuxi-tools", "build.lock");

interface Options {
  env: NodeJS.ProcessEnv;
  report: (line: string) => void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** Brings .next up to date with the sources. */
export async function buildPages({ env, report, signal }: Options): Promise<void> {
  await waitForOtherBuild(report, signal);
  try {
    const hash = hashSources();
    const stamp = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
    if (stamp === hash) return;
    const step = beginStep("pages", "one to three minutes");
    report(`building the pages (${step.hint})`);
    rmSync(stampFile, { force: true });
    await build(env, signal);
    writeFileSync(stampFile, hash);
    step.end();
    report("pages built");
  } finally {
    rmSync(lockFile, { force: true });
  }
}

async function waitForOtherBuild(
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  mkdirSync(".fuxi-tools", { recursive: true });
  for (let logged = false; !takeLock(); logged = true) {
    if (!logged) report("waiting for another build in this folder");
    await sleep(200, undefined, { signal });
  }
}

function takeLock(): boolean {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
  }
  const holderPid = Number(existsSync(lockFile) ? readFileSync(lockFile, "utf8") : 0);
  if (holderPid > 0 && !isAlive(holderPid)) rmSync(lockFile, { force: true });
  return false;
}

function hashSources(): string {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(listFiles))
    hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

function listFiles(source: string): string[] {
  if (!existsSync(source)) return [];
  if (/\.\w+$/.test(source)) return [source];
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !outside.test(file))
    .sort();
}

function build(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const next = join("node_modules", "next", "dist", "bin", "next");
  const output: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [next, "build"], {
      env: { ...env, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
      signal,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => output.push(chunk));
    }
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Advice(`Building the pages failed:\n${Buffer.concat(output).toString()}`));
    });
  });
}
