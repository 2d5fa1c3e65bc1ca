/**
 * Gets programs of Debian without installing them: apt says which packages this machine lacks, and only those are downloaded and
 * unpacked. Needs no root. All data folders share the unpacked programs.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve as resolvePath } from "node:path";
import { Advice, findProgram, run } from "./processes.ts";
import { beginStep } from "./progress.mjs";

const toolsDir = resolvePath(".fuxi-tools");
const downloadTimeoutMs = 900_000;

export interface Unpacked {
  folder: string;
  env: { LD_LIBRARY_PATH: string };
}

export function peekUnpacked(name: string): Unpacked | undefined {
  const folder = join(toolsDir, name);
  return existsSync(folder) ? describeTree(folder) : undefined;
}

interface DebianProgram {
  program: string;
  env: Record<string, string>;
  folder: string | undefined;
}

/** Finds a program on the PATH, or else unpacks Debian's package. */
export async function findOrUnpack(
  name: string,
  path = `usr/bin/${name}`,
  packageName = name,
): Promise<DebianProgram> {
  const installed = findProgram(name);
  if (installed) return { program: installed, env: {}, folder: undefined };
  const { folder, env } =
    peekUnpacked(packageName) ??
    (await unpackDebianPackages(packageName, [packageName], console.log));
  return { program: join(folder, path), env, folder };
}

const underway = new Map<string, Promise<Unpacked>>();

/** Also unpacks missing dependencies. Concurrent calls for one name share the work. */
export function unpackDebianPackages(
  name: string,
  packages: string[],
  report: (line: string) => void,
): Promise<Unpacked> {
  const unpacking =
    underway.get(name) ??
    downloadAndUnpack(name, packages, report).finally(() => underway.delete(name));
  underway.set(name, unpacking);
  return unpacking;
}

async function downloadAndUnpack(
  name: string,
  packages: string[],
  report: (line: string) => void,
): Promise<Unpacked> {
  if (!(findProgram("apt-get") && findProgram("dpkg-deb"))) {
    throw new Advice("This system has no apt-get.");
  }
  const folder = join(toolsDir, name);
  // Replaces an unpacked program that no longer works.
  const isRenewed = existsSync(folder);
  const unfinished = `${folder}.${process.pid}.new`;
  const archives = join(unfinished, "archives");
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(archives, { recursive: true });
  try {
    const { missing, options } = await resolve(packages, report);
    const step = beginStep(`debian ${name}`, "about a minute");
    report(`downloading ${missing.length} Debian packages for ${name} (${step.hint})`);
    await apt([...options, "download", ...missing], archives);
    for (const archive of readdirSync(archives)) await unpack(join(archives, archive), unfinished);
    step.end();
    rmSync(archives, { recursive: true });
    if (isRenewed) rmSync(folder, { recursive: true, force: true });
    keepFirst(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return describeTree(folder);
}

/** Another process may have finished first, and may already be using its programs. */
function keepFirst(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

interface Resolved {
  missing: string[];
  options: string[];
}

/** apt computes the dependencies that are not installed. */
async function resolve(packages: string[], report: (line: string) => void): Promise<Resolved> {
  const known = await simulate(packages, []);
  if (known !== undefined) return { missing: known, options: [] };

  report("fetching Debian's package lists into .fuxi-tools");
  const lists = join(toolsDir, "apt");
  mkdirSync(join(lists, "lists", "partial"), { recursive: true });
  mkdirSync(join(lists, "cache", "archives", "partial"), { recursive: true });
  const options = [
    `-oDir::State::lists=${join(lists, "lists")}`,
    `-oDir::Cache=${join(lists, "cache")}`,
  ];
  await apt([...options, "update"], lists);
  const found = await simulate(packages, options);
  if (found === undefined)
    throw new Advice(`Debian's archive has no package ${packages.join(" ")}.`);
  return { missing: found, options };
}

async function simulate(packages: string[], options: string[]): Promise<string[] | undefined> {
  const always = ["-oDebug::NoLocking=true", "-oAPT::Get::Show-User-Simulation-Note=false"];
  const args = [...always, ...options, "--simulate", "--no-install-recommends", "install"];
  const ended = await run("apt-get", [...args, ...packages]);
  if (ended.code !== 0) return undefined;
  const lines = ended.stdout.matchAll(/^Inst (\S+)/gm);
  return [...lines].map(([, name = ""]) => name);
}

async function apt(args: string[], cwd: string): Promise<void> {
  // apt downloads as the user _apt, which may not write to a private folder.
  const account = process.getuid?.() === 0 ? ["-oAPT::Sandbox::User=root"] : [];
  const options = [...account, "-oAcquire::Retries=3", "-q"];
  const ended = await run("apt-get", [...options, ...args], { cwd, timeoutMs: downloadTimeoutMs });
  if (ended.code !== 0) throw new Advice(`apt-get ${args.at(-1)} failed: ${ended.stderr.trim()}`);
}

async function unpack(archive: string, folder: string): Promise<void> {
  const ended = await run("dpkg-deb", ["-x", archive, folder]);
  if (ended.code !== 0) throw new Advice(`Unpacking ${archive} failed: ${ended.stderr.trim()}`);
}

function describeTree(folder: string): Unpacked {
  const triplets = ["usr/lib", "lib"]
    .flatMap((path) => listFolders(join(folder, path)))
    .filter((path) => path.includes("-linux-gnu"));
  // Some libraries are one folder deeper, because they are usually found by a path that does not exist here.
  const libraries = triplets.flatMap((path) => [path, ...listFolders(path).filter(holdsLibraries)]);
  return { folder, env: { LD_LIBRARY_PATH: libraries.join(":") } };
}

function listFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}

function holdsLibraries(folder: string): boolean {
  return readdirSync(folder).some((name) => /^lib.*\.so/.test(name));
}
