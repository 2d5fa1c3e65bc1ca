/** `npm run release`: prints the remaining tasks. If there are none, writes the archive. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildAll } from "./build.ts";
import { writeDeployment } from "./deployment.ts";
import { buildEnvironment } from "./environment.ts";
import { run } from "./processes.ts";
import { findTasks, type ReleaseState } from "./release-tasks.ts";
import { sbomFile } from "./sbom.ts";

const state = await readState();
const tasks = findTasks(state);
for (const task of tasks) console.log(`- ${task}`);
if (tasks.length > 0) {
  console.log(`\n${tasks.length} left to do for version ${state.version}, from the top.`);
  process.exit(0);
}
await writeArchive(`fuxi-${state.version}`);
console.log(`Push it: git push origin main v${state.version}`);
process.exit(0);

async function git(...args: string[]): Promise<string> {
  const { code, stdout } = await run("git", args);
  return code === 0 ? stdout.trim() : "";
}

async function readState(): Promise<ReleaseState> {
  const readJson = (name: string) => JSON.parse(readFileSync(name, "utf8"));
  const { version } = readJson("package.json");
  const released = readJson("prisma/released.json");
  const migrations = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name));
  const tag = `v${version}`;
  const isAnnotated = (await git("cat-file", "-t", tag)) === "tag";
  return {
    version,
    lockedVersion: readJson("package-lock.json").version,
    changeLog: readFileSync("CHANGELOG.md", "utf8"),
    images: ["fuxi", "migrate", "backup", "kustomization"]
      .map((name) => readFileSync(`deploy/kubernetes/${name}.yaml`, "utf8"))
      .flatMap((text) => [...text.matchAll(/(?:image: fuxi:|newTag: )(\S+)/g)])
      .map(([, image = ""]) => image),
    changedFiles: (await git("status", "--porcelain")).split("\n").filter(Boolean),
    tagged: isAnnotated ? await git("rev-list", "-1", tag) : "",
    taggedVersion: isAnnotated ? JSON.parse(await git("show", `${tag}:package.json`)).version : "",
    laterFiles: isAnnotated ? (await git("diff", "--name-only", tag)).split("\n") : [],
    released,
    lastMigration: migrations.sort().at(-1) ?? "",
  };
}

async function writeArchive(name: string): Promise<void> {
  const folder = resolve(".next", "fuxi-release");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const report = (line: string) => console.log(line);
  const { signal } = new AbortController();
  await buildAll({ env: buildEnvironment(process.env), report, signal });
  await writeDeployment(join(folder, name));
  const archive = `${name}.tar.gz`;
  const packed = await run("tar", ["-czf", archive, name], { cwd: folder });
  if (packed.code !== 0) throw new Error(packed.stderr);
  writeFileSync(join(folder, sbomFile), readFileSync(join(folder, name, sbomFile)));
  const sums = [archive, sbomFile].map((file) => {
    const digest = createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex");
    return `${digest}  ${file}\n`;
  });
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  rmSync(join(folder, name), { recursive: true });
  console.log(`Written to ${folder}: ${archive}, ${sbomFile}, SHA256SUMS`);
}
