/**
 * Compiles the processes into .next/fuxi-processes, a file each with shared parts: they start in a third of the time, and
 * production needs no compiler. Packages stay where they are. Traces name the lines of the sources.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { nodeFlags } from "./processes.ts";

const folder = join(".next", "fuxi-processes");

/** Source of a process → name of its compiled file. */
const entries: Readonly<Record<string, string>> = {
  "server.ts": "front",
  "workers/index.ts": "worker",
  "workers/web.ts": "web",
  "workers/redirect.ts": "redirect",
  "workers/api.ts": "api",
  // Started by the worker, from beside its own file.
  "workers/import.ts": "import",
  "workers/recipients.ts": "recipients",
  "prisma/seed.ts": "seed",
};

/** Arguments of Node that run a compiled process. */
export function compiledProcess(source: string): string[] {
  return [
    ...nodeFlags,
    "--enable-source-maps",
    join(folder, `${entries[source] ?? refuse(source)}.mjs`),
  ];
}

/** The same from its source, for development. */
export function uncompiledProcess(source: string): string[] {
  return [...nodeFlags, "--import", "tsx", source];
}

export function isCompiled(source: string): boolean {
  return source in entries;
}

function refuse(source: string): never {
  throw new Error(`${source} is not compiled. Add it to scripts/compile.ts.`);
}

export async function compileProcesses(): Promise<void> {
  // Parts have a hash in their names: those of earlier compilations would stay.
  rmSync(folder, { recursive: true, force: true });
  await build({
    entryPoints: Object.entries(entries).map(([source, name]) => ({ in: source, out: name })),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    define: { "import.meta.isCompiled": "true" },
    // The names of error classes are in logs.
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    charset: "utf8",
    logLevel: "silent",
  });
}
