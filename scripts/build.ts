/**
 * Builds the pages, the processes and the programs that people install, if their inputs changed. A stamp is written after a
 * complete build. If two builds start in one checkout, the second one waits.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleCli } from "./cli.ts";
import { compileLauncher, compileProcesses } from "./compile.ts";
import { bundleExtension } from "./extension.ts";
import { compressPageFiles, escapePageChunks } from "./page-files.ts";
import { Advice, hasErrorCode, isAlive, run } from "./processes.ts";
import { beginStep } from "./progress.mjs";
import { bundleSdk } from "./sdk.ts";
import { hashFiles } from "./stamps.mjs";

interface Target {
  name: string;
  sources: string[];
  outside: RegExp;
  build: (options: Options) => Promise<void>;
}

const packages = ["package.json", "package-lock.json", "tsconfig.json"];
const tests = /\.test\.tsx?$|(^|\/)generated\//;

const targets: Target[] = [
  {
    // Comes first, because it clears the folder that the others write to.
    name: "pages",
    sources: [
      ...packages,
      ...["app", "components", "lib", "public", "instrumentation-client.ts", "instrumentation.ts"],
      ...["next.config.ts", "postcss.config.mjs", "proxy.ts"],
      join("scripts", "page-files.ts"),
    ],
    outside: new RegExp(`${tests.source}|^app/(cli|extension)/`),
    build: announcePages,
  },
  {
    name: "processes",
    sources: [...packages, ...["server.ts", "app", "lib", "workers", "prisma", "scripts"]],
    outside: new RegExp(`${tests.source}|\\.tsx$|^app/(cli|extension)/`),
    build: compileProcesses,
  },
  {
    name: "programs",
    sources: [
      ...packages,
      "app",
      "lib",
      "scripts/cli.ts",
      "scripts/sdk.ts",
      "scripts/extension.ts",
    ],
    outside: tests,
    build: async () => {
      await bundleCli();
      await bundleSdk();
      await bundleExtension();
    },
  },
  {
    name: "launcher",
    sources: [...packages, "scripts", "lib/platform/config", "prisma"],
    outside: tests,
    build: compileLauncher,
  },
  {
    name: "places",
    sources: [
      join("node_modules", "@ip-location-db", "dbip-city-mmdb", "package.json"),
      join("lib", "platform", "request-info"),
    ],
    outside: tests,
    build: buildPlaces,
  },
];

const lockFile = join(".fuxi-tools", "build.lock");

interface Options {
  env: NodeJS.ProcessEnv;
  report: (line: string) => void;
  signal: AbortSignal;
}

/** Brings .next up to date. */
export async function buildAll(options: Options): Promise<void> {
  await buildTargets(targets, options);
}

export async function buildProcesses(options: Options): Promise<void> {
  const wanted = targets.filter(({ name }) => name === "processes");
  await buildTargets(wanted, options);
}

async function buildTargets(wanted: Target[], options: Options): Promise<void> {
  await waitForOtherBuild(options);
  try {
    for (const target of wanted) await bringUpToDate(target, options);
  } finally {
    rmSync(lockFile, { force: true });
  }
}

async function bringUpToDate(
  { name, sources, outside, build }: Target,
  options: Options,
): Promise<void> {
  const stampFile = join(".next", `fuxi-${name}.stamp`);
  const hash = hashFiles(sources.flatMap(listFiles).filter((file) => !outside.test(file)));
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash) return;
  rmSync(stampFile, { force: true });
  await build(options);
  writeFileSync(stampFile, hash);
}

async function announcePages(options: Options): Promise<void> {
  const { report } = options;
  const step = beginStep("pages", "one to three minutes");
  report(`building the pages (${step.hint})`);
  clearPages(".next");
  await buildPages(options);
  await escapePageChunks();
  await compressPageFiles();
  step.end();
  report("pages built");
}

async function waitForOtherBuild({ report, signal }: Options): Promise<void> {
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

function listFiles(source: string): string[] {
  if (!existsSync(source)) return [];
  if (/\.\w+$/.test(source)) return [source];
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function buildPlaces({ report }: Options): Promise<void> {
  report("preparing the locations of visitors");
  const tools = ".fuxi-tools";
  for (const name of existsSync(tools) ? readdirSync(tools) : []) {
    if (/^places-.*\.bin/.test(name)) rmSync(join(tools, name));
  }
  const { code, stderr } = await run(process.execPath, ["--import", "tsx", "scripts/places.ts"]);
  if (code !== 0) throw new Advice(`Preparing the locations failed:\n${stderr}`);
}

/** Not deleted: `next build` keeps these too, and a running `npm start` uses the launcher. */
const keptByPages = /^((cache|dev|diagnostics|lock|trace)$|fuxi-launcher)/;

export function clearPages(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!keptByPages.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function buildPages({ env, signal }: Options): Promise<void> {
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
