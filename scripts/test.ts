/**
 * `npm test [kind …] [filter …] [--long]`: runs tests of every kind with everything they need, started here and removed
 * afterwards. Only the last line has the totals; the exit code is 0 only when nothing failed and every kind that has
 * files ran some.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeTestEnvironment, startTestInstance, type TestInstance } from "../test/instance.ts";
import { startTestServices, type TestServices } from "../test/services.ts";
import { stripeKey, webhookSecret } from "../test/stripe.ts";
import { buildPages } from "./build.ts";
import { findChromium } from "./chromium.ts";
import { findFreePort } from "./ports.ts";
import { explain, runVisibly, type Variables } from "./processes.ts";
import { attackFiles, judgeAttacks, longReport, shortReport } from "./security.ts";
import {
  nothingRun,
  parsePlaywrightReport,
  parseVitestReport,
  sum,
  type TestOutcome,
  type TestRun,
  withExitCode,
} from "./test-outcome.ts";

const rooms = ["lib", "workers", "app", "components", "scripts", "prisma"];
const kinds = {
  unit: { folders: rooms, file: /(?<!\.(db|contract|chaos))\.test\.tsx?$/ },
  db: { folders: rooms, file: /\.db\.test\.ts$/ },
  contract: { folders: rooms, file: /\.contract\.test\.ts$/ },
  e2e: { folders: ["e2e"], file: /(?<!\.chaos)\.(e2e|spec|test)\.ts$/ },
  chaos: { folders: ["e2e/chaos"], file: /\.chaos\.test\.ts$/ },
};
type Kind = keyof typeof kinds;
const kindNames: Kind[] = ["unit", "db", "contract", "e2e", "chaos"];
/** The last two of the 16 logical databases of any Redis. */
const redisDatabases = { contract: 14, e2e: 15 };

const cliArgs = process.argv.slice(2);
const isSecurityRun = cliArgs.includes("--security");
const givenFilters = cliArgs.filter((arg) => !arg.startsWith("--") && !isKind(arg));
const filters = isSecurityRun ? attackFiles() : givenFilters;
const namedKinds = kindNames.filter((kind) => cliArgs.includes(kind));
const stopping = new AbortController();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => stopping.abort());
}
process.exit(await runAll());

function isKind(arg: string): boolean {
  return kindNames.some((kind) => kind === arg);
}

function report(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

async function runAll(): Promise<number> {
  if (cliArgs.includes("--long")) process.env["TEST_LONG"] = "1";
  const chosen = (namedKinds.length > 0 ? namedKinds : kindNames).filter(hasFiles);
  const lines: string[] = [];
  const outcomes: TestOutcome[] = [];
  try {
    await runKinds(chosen, outcomes, lines);
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`);
    outcomes.push({ ...nothingRun, failed: 1 });
  }
  if (isSecurityRun || (namedKinds.length === 0 && filters.length === 0)) {
    outcomes.push(reportAttacks(sum(outcomes).tests, lines));
  }
  const { passed, failed, failures } = sum(outcomes);
  const named = failures.map((failure) => `  FAILED ${failure}\n`);
  if (named.length > 0) process.stdout.write(`\n${named.join("")}`);
  process.stdout.write(`\n${lines.join("\n")}\n\n${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** An attack without a test that ran is a failure. */
function reportAttacks(tests: readonly TestRun[], lines: string[]): TestOutcome {
  const results = judgeAttacks(tests);
  if (isSecurityRun) process.stdout.write(`\n${longReport(results)}\n`);
  lines.push(shortReport(results));
  const untested = results.filter(({ missing }) => missing.length > 0);
  return { ...nothingRun, failed: untested.length };
}

async function runKinds(chosen: Kind[], outcomes: TestOutcome[], lines: string[]): Promise<void> {
  const services = chosen.some((kind) => kind !== "unit") ? await startStores(chosen) : undefined;
  try {
    for (const kind of chosen) {
      stopping.signal.throwIfAborted();
      const startedAt = Date.now();
      const outcome = await runKind(kind);
      outcomes.push(outcome);
      lines.push(describeOutcome(kind, outcome, Date.now() - startedAt));
    }
  } finally {
    await services?.stop();
  }
}

function hasFiles(kind: Kind): boolean {
  const { folders, file } = kinds[kind];
  if (isSecurityRun) {
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

/** Starts the stores and, for tests of pages, builds them. */
async function startStores(chosen: Kind[]): Promise<TestServices> {
  const services = await startTestServices(report);
  process.env["TEST_DATABASE_URL"] = services.databaseUrl;
  process.env["TEST_REDIS_URL"] = services.redisUrl;
  if (chosen.some((kind) => kind === "contract" || kind === "e2e" || kind === "chaos")) {
    const env = await describeTestEnvironment(services.dataDir, services, {});
    await buildPages({ env, report, signal: stopping.signal });
  }
  return services;
}

async function runKind(kind: Kind): Promise<TestOutcome> {
  process.stdout.write(`\n── ${kind} ${"─".repeat(70 - kind.length)}\n`);
  if (kind === "contract") return await runContract();
  if (kind === "e2e") return await runJourneys();
  return await runVitest(kind, {});
}

async function runVitest(kind: Kind, env: Variables): Promise<TestOutcome> {
  const file = reportFile(kind);
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const code = await execute([vitest, "run", "--project", kind, ...reporters, ...filters], env);
  return withExitCode(parseVitestReport(readReport(file)), code);
}

/** An owner and a key with all scopes exist from the start, as on a server without a browser. */
async function runContract(): Promise<TestOutcome> {
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
    runVitest("contract", {
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

/** Billing with a Stripe that a test starts there. New workspaces have all features, as without billing. */
function billingAt(port: number): Variables {
  return {
    FUXI_STRIPE_SECRET_KEY: stripeKey,
    FUXI_STRIPE_WEBHOOK_SECRET: webhookSecret,
    FUXI_STRIPE_API_URL: `http://127.0.0.1:${port}`,
    FUXI_DEFAULT_PLAN: "enterprise",
  };
}

/** There is no account yet: the first test is that of the owner. */
async function runJourneys(): Promise<TestOutcome> {
  const chromium = await findChromium(report);
  const redisDatabase = redisDatabases.e2e;
  // The destination sites of a test are on this machine. Every sign-up comes from an address of its own, because
  // sign-ups per address are limited.
  const [dnsPort, stripePort] = [await findFreePort(), await findFreePort()];
  const own = {
    FUXI_FETCH: "loopback",
    // Without prices there is no pricing page; the contract tests run without.
    FUXI_PRICES: "free=0 €; personal=9 € a month",
    FUXI_TRUSTED_PROXIES: "127.0.0.1,::1",
    FUXI_COUNTRY_HEADER: "CF-IPCountry",
    // The test of a domain answers there.
    FUXI_DNS_SERVERS: `127.0.0.1:${dnsPort}`,
    FUXI_DOMAINS_TARGET: "links.fuxi.example",
    FUXI_DOMAINS_ADDRESSES: "203.0.113.7",
    ...billingAt(stripePort),
    FUXI_STRIPE_OFFERS: "personal month eur=9; personal 12 cny=600; trial eur=1",
  };
  return await withInstance({ name: "e2e", redisDatabase, env: own }, async (instance) => {
    const file = reportFile("e2e");
    const playwright = join("node_modules", "@playwright", "test", "cli.js");
    // End-to-end tests create their workspaces with functions of the instance.
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
    const code = await execute([playwright, "test", ...filters], env);
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

async function execute(args: string[], env: Variables): Promise<number> {
  return await runVisibly(process.execPath, args, { env, signal: stopping.signal });
}

function reportFile(kind: Kind): string {
  mkdirSync(".fuxi-test", { recursive: true });
  return join(".fuxi-test", `${process.pid}-${kind}.json`);
}

function readReport(file: string): unknown {
  if (!existsSync(file)) return {};
  const found: unknown = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  return found;
}

function describeOutcome(kind: Kind, outcome: TestOutcome, ms: number): string {
  const { passed, failed, skipped } = outcome;
  const skips = skipped > 0 ? `, ${skipped} skipped` : "";
  return `  ${kind.padEnd(9)} ${passed} passed, ${failed} failed${skips}   ${(ms / 1000).toFixed(1)} s`;
}
