/** Bundles app/cli into a folder without dependencies, for app/cli.tgz. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const servedFolder = join(".next", "fuxi-cli");
export const nodeMin = 20;

export async function bundleCli(folder = servedFolder): Promise<void> {
  const { build } = await import("esbuild");
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: { fuxi: join("app", "cli", "main.ts") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // `fuxi mcp` loads a separate file.
    splitting: true,
    chunkNames: "[name]",
    minify: true,
    format: "esm",
    platform: "node",
    target: `node${nodeMin}`,
    alias: { qrcode: "qrcode/lib/core/qrcode.js" },
    // Commander is CommonJS and requires modules of Node.js.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "silent",
  });
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const manifest = {
    name: "fuxi-cli",
    version,
    description: "The command-line program of Fuxi.",
    license: "MIT",
    type: "module",
    bin: { fuxi: "fuxi.mjs" },
    man: "./fuxi.1",
    engines: { node: `>=${nodeMin}` },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  copyFileSync("LICENSE-MIT", join(folder, "LICENSE"));
  const { stdout } = await run(process.execPath, [join(folder, "fuxi.mjs"), "manual", "--roff"]);
  writeFileSync(join(folder, "fuxi.1"), stdout);
}
