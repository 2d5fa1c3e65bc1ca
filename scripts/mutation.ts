/** `npm run test:mutation [-- name …]`: removes each defence in a copy, and runs its test. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { createVitest, type TestCase, type Vitest } from "vitest/node";
import { type Defence, defences } from "../test/defences.ts";
import { startTestServices } from "../test/services.ts";
import { filesOfDefences } from "./check-defences.ts";
import { readSources } from "./imports.ts";
import { judge, mutate, type Outcome, type TestResult } from "./mutant.ts";

const copied = [
  ...["app", "components", "docs", "e2e", "lib", "prisma", "scripts", "test", "workers"],
  ...[
    "LICENSE-MIT",
    "instrumentation.ts",
    "next.config.ts",
    "package.json",
    "server.ts",
    "tsconfig.json",
    "vitest.config.ts",
  ],
];
const runTimeoutMs = 600_000;
/** Without its defence, a test may wait for something that never happens. */
const testTimeoutMs = 180_000;
const pollTimeoutMs = 60_000;

/** One vitest per kind, because it keeps what it has compiled. */
const kinds = [
  { project: "unit", pattern: /^(?!.*\.db\.test\.)/ },
  { project: "db", pattern: /^(?!.*-apart\.).*\.db\.test\./ },
  { project: "db", pattern: /-apart\.db\.test\./, argument: "-apart" },
];

const words = process.argv.slice(2);
const chosen = defences.filter(
  ({ name, title }) =>
    words.length === 0 || words.some((word) => name.includes(word) || title.includes(word)),
);
const root = process.cwd();
const files = filesOfDefences(readSources(root));
const copy = mkdtempSync(join(tmpdir(), "fuxi-mutation-"));
const outcomes = new Map<string, Outcome>();
const needsStores = chosen.some(({ test }) => test.includes(".db.test."));
const services = needsStores
  ? await startTestServices((line) => process.stdout.write(`  ${line}\n`))
  : undefined;
try {
  for (const name of copied) cpSync(name, join(copy, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
  process.env["TEST_DATABASE_URL"] = services?.databaseUrl;
  process.env["TEST_REDIS_URL"] = services?.redisUrl;
  process.chdir(copy);
  for (const kind of kinds) await removeDefences(kind);
} finally {
  process.chdir(root);
  await services?.stop();
  rmSync(copy, { recursive: true, force: true });
}
const missed = [...outcomes.values()].filter((outcome) => "problem" in outcome);
process.stdout.write(`\n  ${outcomes.size - missed.length} of ${outcomes.size} caught\n`);
process.exit(missed.length === 0 && outcomes.size > 0 ? 0 : 1);

async function removeDefences({
  project,
  pattern,
  argument,
}: (typeof kinds)[number]): Promise<void> {
  const own = chosen.filter(({ test }) => pattern.test(test));
  if (own.length === 0) return;
  if (argument) process.argv.push(argument);
  const results: TestResult[] = [];
  const reporter = {
    onTestCaseResult: (test: TestCase) => {
      const { state, errors = [] } = test.result();
      results.push({ name: test.fullName, state, errors: errors.map(({ name = "" }) => name) });
    },
  };
  const options = {
    root: copy,
    project: [project],
    watch: false,
    bail: 1,
    testTimeout: testTimeoutMs,
    reporters: [reporter],
  };
  const vitest = await createVitest("test", options, {}, { stdout: new PassThrough().resume() });
  for (const { config } of vitest.projects) config.expect.poll = { timeout: pollTimeoutMs };
  try {
    for (const defence of own) {
      results.length = 0;
      const problem = await runWithout(defence, vitest);
      const outcome = problem === undefined ? judge(results) : { problem };
      outcomes.set(defence.name, outcome);
      const [word, text] =
        "problem" in outcome ? ["MISSED", outcome.problem] : ["caught", outcome.caughtBy];
      process.stdout.write(`  ${word}   ${defence.name}\n           ${text}\n`);
    }
  } finally {
    await vitest.close();
  }
}

async function runWithout(defence: Defence, vitest: Vitest): Promise<string | undefined> {
  const [file] = files.get(defence.name) ?? [];
  if (!file) return "it has no marker";
  const path = join(copy, file);
  const original = readFileSync(path, "utf8");
  const mutant = mutate(file, original, defence);
  if ("problem" in mutant) return mutant.problem;
  writeFileSync(path, mutant.text);
  vitest.invalidateFile(path);
  // The second call does not wait for running tests to finish.
  const timer = setTimeout(() => {
    for (let call = 0; call < 2; call += 1) void vitest.cancelCurrentRun("keyboard-input");
  }, runTimeoutMs);
  try {
    const specs = await vitest.getRelevantTestSpecifications([join(copy, defence.test)]);
    await vitest.runTestSpecifications(specs);
  } finally {
    clearTimeout(timer);
    writeFileSync(path, original);
    vitest.invalidateFile(path);
  }
  return undefined;
}
