/** The code of the last release, compiled in a folder of its own: prisma/released.json names its commit. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

const { commit }: { commit: string } = JSON.parse(readFileSync("prisma/released.json", "utf8"));
const generated = join("lib", "platform", "prisma", "generated");
const compile = `
  import { buildProcesses } from "./scripts/build.ts";
  await buildProcesses({ env: process.env, report: () => undefined, signal: new AbortController().signal });
  process.exit(0);`;

/**
 * Whether this clone has the commit, as one without history does not, and the release works with the databases of the
 * tests: 0.1.0 was before Citus.
 */
export function canRunRelease(): boolean {
  const needed = process.env["TEST_CITUS_URL"]
    ? `${commit}:prisma/distribute.ts`
    : `${commit}^{commit}`;
  return spawnSync("git", ["cat-file", "-e", needed]).status === 0;
}

/** The folder with the compiled processes of the release. Kept for later runs. */
export function openRelease(): string {
  const folder = resolve(".fuxi-tools", "releases", commit);
  const done = join(folder, ".compiled");
  if (existsSync(done)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execute("sh", ["-c", `git archive ${commit} | tar -x -C "${folder}"`], ".");
  if (hasItsPackages(folder)) {
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  } else {
    execute("npm", ["install", "--include=dev", "--ignore-scripts", "--no-audit"], folder);
  }
  if (isSame(folder, join("prisma", "schema.prisma"))) {
    cpSync(generated, join(folder, generated), { recursive: true });
  } else {
    const cli = join("node_modules", "prisma", "build", "index.js");
    execute(process.execPath, [cli, "generate", "--no-hints"], folder);
  }
  execute(process.execPath, ["--import", "tsx", "--input-type=module", "-e", compile], folder);
  mkdirSync(done);
  return folder;
}

/** Whether every package that the processes of the release consist of is installed here, in the same version. */
function hasItsPackages(folder: string): boolean {
  const [released, installed] = [readPackages(folder), readPackages(".")];
  return Object.entries(released).every(
    ([path, { version, dev }]) => path === "" || dev || installed[path]?.version === version,
  );
}

function readPackages(folder: string): Record<string, { version: string; dev?: boolean }> {
  return JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
}

function isSame(folder: string, name: string): boolean {
  return readFileSync(name).equals(readFileSync(join(folder, name)));
}

function execute(command: string, args: string[], cwd: string): void {
  // The command of Prisma requires an engine that it does not need here; any file will do.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  const { status, stderr } = spawnSync(command, args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}
