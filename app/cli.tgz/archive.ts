/**
 * The npm package of the command-line program: the bundle of scripts/cli.ts, and the address of this instance in its
 * package.json. The address is written when it is served, because a build may serve several instances.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { packTarball } from "../tarball.ts";

export async function packCli(folder: string, server: string): Promise<Buffer> {
  const names = (await readdir(folder)).sort();
  const files = names.map(async (name) => {
    const content = await readFile(join(folder, name));
    const bytes = name === "package.json" ? manifestOf(content.toString(), server) : content;
    return { name, bytes, executable: name === "fuxi.mjs" };
  });
  return await packTarball(await Promise.all(files));
}

function manifestOf(built: string, server: string): Buffer {
  const manifest = { ...JSON.parse(built), config: { server } };
  return Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`);
}
