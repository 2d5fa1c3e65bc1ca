/**
 * `npm test [kind …] [filter …] [--long] [--changed]`. Exits with 0 only if nothing failed, and each kind that has test files ran
 * some of them. The whole run repeats a file that fails by chance, and names it.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dropCitusDatabases } from "../test/citus.ts";
import { describeTestEnvironment, startTestInstance, type TestInstance } from "../test/instance.ts";
import { startTestServices, type TestServices } from "../test/services.ts";
import { stripeKey, webhookSecret } from "../test/stripe.ts";
import { buildAll } from "./build.ts";
import { findChangedTests, listChangedFiles } from "./changed-tests.ts";
import { findChromium } from "./chromium.ts";
import { fetchNode, otherNode } from "./node-builds.ts";
import { findFreePort } from "./ports.ts";
import { abortOnSignals, explain, runVisibly, type Variables } from "./processes.ts";
import { attackFiles, judgeAttacks, longReport, shortReport } from "./security.ts";
import {
  describeCost,
  describeFiles,
  type KindCost,
  measure,
  openCpuMeter,
  rankFiles,
  sumOf,
  writeCosts,
} from "./test-costs.ts";
import {
  filesToRepeat,
  nothingRun,
  parsePlaywrightReport,
  parseVitestReport,
  sum,
  type TestOutcome,
  type TestRun,
  withExitCode,
  withSecondRun,
} from "./test-outcome.ts";

const rooms = ["lib", "workers", "app", "components", "scripts", "prisma", "test"];
const kinds = {
  unit: { folders: rooms, file: /(?<!\.(db|contract|chaos))\.test\.tsx?$/ },
  db: { folders: rooms, file: /\.db\.test\.ts$/ },
  contract: { folders: rooms, file: /\.contract\.test\.ts$/ },
  e2e: { folders: ["e2e"], file: /(?<!\.chaos)\.(e2e|spec|test)\.ts$/ },
  chaos: { folders: ["e2e/chaos"], file: /\.chaos\.test\.ts$/ },
};
type Kind = keyof typeof kinds;
const kindNames: Kind[] = ["unit", "db", "contract", "e2e", "chaos"];
/** The last two of Redis's 16 logical databases. */
const redisDatabases = { contract: 14, e2e: 15 };
const reportFolder = ".fuxi-test";

const cliArgs = process.argv.slice(2);
const isSecurityRun = cliArgs.includes("--security");
const isChangedRun = cliArgs.includes("--changed");
const givenFilters = cliArgs.filter((arg) => !arg.startsWith("--") && !isKind(arg));
const filters = isSecurityRun ? attackFiles() : isChangedRun ? changedFiles() : givenFilters;
const namedKinds = isChangedRun
  ? kindNames.filter((kind) => kind === "unit" || kind === "db")
  : kindNames.filter((kind) => cliArgs.includes(kind));
const citusUrl = process.env["TEST_CITUS_URL"];
const isWholeRun = namedKinds.length === 0 && filters.length === 0;
const stopped = abortOnSignals();

process.exit(await runAll());

function isKind(arg: string): boolean {
  return kindNames.some((kind) => kind === arg);
}

function changedFiles(): string[] {
  const { files, leftOut } = findChangedTests(listChangedFiles());
  report(`${files.length} test files concern what changed since the last commit`);
  if (leftOut > 0) report(`${leftOut} more are left out; npm test unit db runs them`);
  if (files.length === 0) process.exit(0);
  return files;
}

function report(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

async function runAll(): Promise<number> {
  if (cliArgs.includes("--long")) process.env["TEST_LONG"] = "1";
  if (cliArgs.includes("--citus") && !citusUrl) {
    process.stderr.write(
      "Set TEST_CITUS_URL to the database of a Citus coordinator with workers.\n",
    );
    return 1;
  }
  const chosen = (namedKinds.length > 0 ? namedKinds : kindNames).filter(hasFiles);
  const run: Run = { outcomes: [], costs: [], lines: [] };
  try {
    await runKinds(chosen, run);
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`);
    run.outcomes.push({ ...nothingRun, failed: 1 });
  }
  const { tests, files } = sum(run.outcomes);
  if (isSecurityRun || isWholeRun) {
    run.outcomes.push(reportAttacks(tests, run.lines));
  }
  const ranked = rankFiles(files);
  writeCosts(reportFolder, run.costs, ranked);
  const table = [...run.lines, describeCost(sumOf(run.costs)), "", describeFiles(ranked)];
  const { passed, failed, failures, unstable } = sum(run.outcomes);
  const named = [
    ...unstable.map((failure) => `  FAILED ONCE ${failure}\n`),
    ...failures.map((failure) => `  FAILED ${failure}\n`),
  ];
  if (named.length > 0) process.stdout.write(`\n${named.join("")}`);
  const once = unstable.length > 0 ? `, ${unstable.length} failed at first` : "";
  process.stdout.write(`\n${table.join("\n")}\n\n${passed} passed, ${failed} failed${once}\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

function reportAttacks(tests: readonly TestRun[], lines: string[]): TestOutcome {
  const results = judgeAttacks(tests);
  if (isSecurityRun) process.stdout.write(`\n${longReport(results)}\n`);
  lines.push(shortReport(results));
  const untested = results.filter(({ missing }) => missing.length > 0);
  return { ...nothingRun, failed: untested.length };
}

async function runKinds(chosen: Kind[], { outcomes, costs, lines }: Run): Promise<void> {
  const readCpu = openCpuMeter();
  const start = await measure("start", readCpu, async () =>
    chosen.some((kind) => kind !== "unit") ? await startStores(chosen) : undefined,
  );
  costs.push(start.cost);
  lines.push(describeCost(start.cost, "stores and build"));
  const services = start.result;
  try {
    for (const [name, work] of listSteps(chosen)) {
      stopped.throwIfAborted();
      process.stdout.write(`\n── ${name} ${"─".repeat(70 - name.length)}\n`);
      const { result, cost } = await measure(name, readCpu, work);
      outcomes.push(result);
      costs.push(cost);
      lines.push(describeCost(cost, describeOutcome(result)));
      // Each database occupies a background worker of its server, and the next kind needs them.
      if (citusUrl) await dropCitusDatabases(citusUrl);
    }
  } finally {
    await services?.stop();
    if (citusUrl) await dropCitusDatabases(citusUrl);
  }
}

/** Long runs repeat the tests of one kind with the other version of Node that people may have. */
function listSteps(chosen: Kind[]): [name: string, work: () => Promise<TestOutcome>][] {
  const steps = chosen.map((kind): [string, () => Promise<TestOutcome>] => [
    kind,
    () => runStably(kind),
  ]);
  if (!(cliArgs.includes("--long") && chosen.includes("db"))) return steps;
  const version = otherNode();
  const repeat = async () => await runVitest("db", filters, {}, await fetchNode(version));
  return [...steps, [`db, Node ${version}`, repeat]];
}

function hasFiles(kind: Kind): boolean {
  const { folders, file } = kinds[kind];
  if (isSecurityRun || isChangedRun) {
    const isOfKind = (path: string) =>
      file.test(path) && folders.some((folder) => path.startsWith(`${folder}/`));
    return filters.some(isOfKind);
  }
  const found = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }));
  if (found.some((name) => file.test(name))) return true;
  report(`${kind}: no files yet`);
  return false;
}

interface Run {
  outcomes: TestOutcome[];
  costs: KindCost[];
  lines: string[];
}

/** Also builds the pages if a kind needs them. */
async function startStores(chosen: Kind[]): Promise<TestServices> {
  const services = await startTestServices(report);
  process.env["TEST_DATABASE_URL"] = services.databaseUrl;
  process.env["TEST_REDIS_URL"] = services.redisUrl;
  if (chosen.some((kind) => kind === "contract" || kind === "e2e" || kind === "chaos")) {
    const env = await describeTestEnvironment(services.dataDir, services, {});
    await buildAll({ env, report, signal: stopped });
  }
  return services;
}

async function runStably(kind: Kind): Promise<TestOutcome> {
  const first = await runKind(kind, filters);
  const files = isWholeRun ? filesToRepeat(first) : [];
  if (files.length === 0) return first;
  report(`running again: ${files.join(", ")}`);
  return withSecondRun(first, await runKind(kind, files), files);
}

async function runKind(kind: Kind, files: string[]): Promise<TestOutcome> {
  if (kind === "contract") return await runContract(files);
  if (kind === "e2e") return await runJourneys(files);
  return await runVitest(kind, files);
}

async function runVitest(
  kind: Kind,
  files: string[],
  env: Variables = {},
  node = process.execPath,
): Promise<TestOutcome> {
  const file = reportFile(kind);
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const args = [vitest, "run", "--project", kind, ...reporters, ...files];
  const code = await execute(args, env, node);
  return withExitCode(parseVitestReport(readReport(file)), code);
}

/** An owner and a key with all scopes exist, as on a server without a browser. */
async function runContract(files: string[]): Promise<TestOutcome> {
  const owner = {
    FUXI_OWNER_EMAIL: "owner@example.com",
    FUXI_OWNER_PASSWORD: randomBytes(12).toString("hex"),
    FUXI_API_KEY: `fuxi_${randomBytes(16).toString("hex")}`,
    FUXI_OPERATOR_TOKEN: randomBytes(16).toString("hex"),
    FUXI_CERTIFICATE_TOKEN: randomBytes(16).toString("hex"),
    FUXI_ADMIN_TOKEN: randomBytes(16).toString("hex"),
  };
  const redisDatabase = redisDatabases.contract;
  const stripePort = await findFreePort();
  const env = { ...owner, ...billingAt(stripePort) };
  return await withInstance({ name: "contract", redisDatabase, env }, (instance) =>
    runVitest("contract", files, {
      TEST_BASE_URL: instance.url,
      TEST_INSTANCE_DATABASE_URL: instance.databaseUrl,
      TEST_INSTANCE_DATA_DIR: instance.dataDir,
      TEST_OWNER_EMAIL: owner.FUXI_OWNER_EMAIL,
      TEST_OWNER_PASSWORD: owner.FUXI_OWNER_PASSWORD,
      TEST_API_KEY: owner.FUXI_API_KEY,
      TEST_OPERATOR_TOKEN: owner.FUXI_OPERATOR_TOKEN,
      TEST_CERTIFICATE_TOKEN: owner.FUXI_CERTIFICATE_TOKEN,
      TEST_ADMIN_TOKEN: owner.FUXI_ADMIN_TOKEN,
      TEST_STRIPE_PORT: String(stripePort),
    }),
  );
}

/** No account exists: the first test creates the owner. */
async function runJourneys(files: string[]): Promise<TestOutcome> {
  const chromium = await findChromium(report);
  const redisDatabase = redisDatabases.e2e;
  const [dnsPort, stripePort] = [await findFreePort(), await findFreePort()];
  const own = journeySettings(dnsPort, stripePort, await findFreePort());
  return await withInstance({ name: "e2e", redisDatabase, env: own }, async (instance) => {
    const file = reportFile("e2e");
    const playwright = join("node_modules", "@playwright", "test", "cli.js");
    // The tests create workspaces with lib functions, which need the settings of the instance.
    const settings = Object.entries(instance.env).filter(([name]) =>
      /^(FUXI_|DATABASE_URL|REDIS_URL)/.test(name),
    );
    const env = {
      ...Object.fromEntries(settings),
      FUXI_LOG_LEVEL: "silent",
      TEST_BASE_URL: instance.url,
      TEST_CHROMIUM: chromium,
      TEST_REPORT: file,
      TEST_DNS_PORT: String(dnsPort),
      TEST_STRIPE_PORT: String(stripePort),
      TEST_OUTBOX: join(instance.dataDir, "outbox"),
    };
    const code = await execute([playwright, "test", ...files], env);
    return withExitCode(parsePlaywrightReport(readReport(file)), code);
  });
}

async function withInstance(
  options: Parameters<typeof startTestInstance>[0],
  work: (instance: TestInstance) => Promise<TestOutcome>,
): Promise<TestOutcome> {
  const instance = await startTestInstance(options);
  try {
    return await work(instance);
  } finally {
    await instance.stop();
  }
}

async function execute(args: string[], env: Variables, node = process.execPath): Promise<number> {
  return await runVisibly(node, args, { env, signal: stopped });
}

function reportFile(kind: Kind): string {
  mkdirSync(reportFolder, { recursive: true });
  return join(reportFolder, `${process.pid}-${kind}.json`);
}

function readReport(file: string): unknown {
  if (!existsSync(file)) return {};
  const found: unknown = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  return found;
}

function describeOutcome({ passed, failed, skipped }: TestOutcome): string {
  const skips = skipped > 0 ? `, ${skipped} skipped` : "";
  return `${passed} passed, ${failed} failed${skips}`;
}

/** A test starts a fake Stripe on this port. New workspaces have all features, as without billing. */
function billingAt(port: number): Variables {
  return {
    FUXI_STRIPE_SECRET_KEY: stripeKey,
    FUXI_STRIPE_WEBHOOK_SECRET: webhookSecret,
    FUXI_STRIPE_API_URL: `http://127.0.0.1:${port}`,
    FUXI_DEFAULT_PLAN: "enterprise",
  };
}

function journeySettings(dnsPort: number, stripePort: number, wechatPort: number): Variables {
  return {
    // Test sites run on this machine. Sign-ups per address are limited.
    FUXI_FETCH: "loopback",
    FUXI_PRICES: "free=0 €; personal=9 € a month",
    FUXI_TRUSTED_PROXIES: "127.0.0.1,::1",
    FUXI_COUNTRY_HEADER: "CF-IPCountry",
    FUXI_DNS_SERVERS: `127.0.0.1:${dnsPort}`,
    FUXI_DOMAINS_TARGET: "links.fuxi.example",
    FUXI_DOMAINS_ADDRESSES: "203.0.113.7",
    FUXI_WECHAT_URL: `http://127.0.0.1:${wechatPort}`,
    ...billingAt(stripePort),
    FUXI_STRIPE_OFFERS: "personal month eur=9; personal 12 cny=600; trial eur=1",
  };
}
