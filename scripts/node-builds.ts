/** Other versions of Node than the one that runs: npm has the builds for each architecture. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Advice, run } from "./processes.ts";

const installMaxMs = 300_000;

/** The Node of the Dockerfile, and the release of Debian that is below it. */
export function describeImageNode(): { version: string; suite: string } {
  const [, version = "", suite = ""] =
    /^ARG NODE=node:([\d.]+)-(\w+)-slim$/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];
  return { version, suite };
}

/** The version of the image, or the oldest one that works if the running one has the major version of the image. */
export function otherNode(running = process.versions.node): string {
  const { version } = describeImageNode();
  const majorOf = (one: string) => one.split(".")[0];
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  return majorOf(running) === majorOf(version) ? engines.node.replace(">=", "") : version;
}

/** The program, kept in .fuxi-tools. */
export async function fetchNode(version: string): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const folder = resolve(".fuxi-tools", `node-${version}`);
  const program = join(folder, "node_modules", name, "bin", "node");
  if (existsSync(program)) return program;
  const args = ["install", "--prefix", folder, "--no-audit", `${name}@${version}`];
  const { code, stderr } = await run("npm", args, { timeoutMs: installMaxMs });
  if (code !== 0) throw new Advice(`npm ${args.join(" ")} failed: ${stderr.trim()}`);
  return program;
}
