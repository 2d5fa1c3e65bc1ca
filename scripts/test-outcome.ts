import { relative } from "node:path";
import { z } from "zod";
import type { FileCost } from "./test-costs.ts";

/** A suite that could not be loaded counts as one failure. */
export interface TestOutcome {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
  /** Failures that did not happen again when the file ran alone. */
  unstable: string[];
  tests: TestRun[];
  files: FileCost[];
}

export interface TestRun {
  file: string;
  name: string;
  passed: boolean;
}

const lists = { failures: [], unstable: [], tests: [], files: [] };
export const nothingRun: TestOutcome = { passed: 0, failed: 0, skipped: 0, ...lists };

const count = z.number().catch(0);
const text = z.string().catch("");
const messages = listOf(z.object({ message: text }));

function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).catch([]);
}

const assertion = z.object({ status: text, fullName: text, failureMessages: listOf(z.string()) });
const vitestFile = z.object({
  name: text,
  status: text,
  message: text,
  startTime: count,
  endTime: count,
  assertionResults: listOf(assertion),
});
const vitestReport = z.object({
  numPassedTests: count,
  numFailedTests: count,
  numPendingTests: count,
  numTodoTests: count,
  testResults: listOf(vitestFile),
});

const attempt = z.object({ duration: count, errors: messages });
const playwrightSpec = z.object({
  ok: z.boolean().catch(true),
  file: text,
  title: text,
  tests: z.array(z.object({ results: z.array(attempt) })),
});

interface PlaywrightSuite {
  suites: PlaywrightSuite[];
  specs: z.infer<typeof playwrightSpec>[];
}

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({ suites: listOf(playwrightSuite), specs: listOf(playwrightSpec) }),
);

const playwrightReport = z.object({
  stats: z
    .object({ expected: count, unexpected: count, flaky: count, skipped: count })
    .catch({ expected: 0, unexpected: 0, flaky: 0, skipped: 0 }),
  errors: messages,
  suites: listOf(playwrightSuite),
});

export function parseVitestReport(report: unknown): TestOutcome {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
    vitestReport.parse(report);
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((assertion) => assertion.status === "failed");
    if (failed.length === 0)
      return status === "failed" ? [describeFailure(name, "not loaded", message)] : [];
    return failed.map(({ fullName, failureMessages }) =>
      describeFailure(name, fullName, failureMessages.join("\n")),
    );
  });
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((assertion) => assertion.status !== "failed"),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    skipped: numPendingTests + numTodoTests,
    failures,
    unstable: [],
    tests: testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "passed" || status === "failed")
        .map(({ fullName, status }) => ({
          file: fromRoot(name),
          name: fullName,
          passed: status === "passed",
        })),
    ),
    files: testResults.map(({ name, startTime, endTime }) => ({
      file: fromRoot(name),
      seconds: (endTime - startTime) / 1_000,
    })),
  };
}

/** A test that only passed when it was repeated counts as a failure. */
export function parsePlaywrightReport(report: unknown): TestOutcome {
  const { stats, errors, suites } = playwrightReport.parse(report);
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [
      ...suites.flatMap(describeSuite),
      ...errors.map(({ message }) => describeFailure("e2e", "runner", message)),
    ],
    unstable: [],
    tests: suites.flatMap(testsOf),
    files: suites.flatMap(durationsOf),
  };
}

function durationsOf({ suites, specs }: PlaywrightSuite): FileCost[] {
  const own = specs.map(({ file, tests }) => {
    const results = tests.flatMap(({ results }) => results);
    const ms = results.reduce((sum, { duration }) => sum + duration, 0);
    return { file: `e2e/${file}`, seconds: ms / 1_000 };
  });
  return [...own, ...suites.flatMap(durationsOf)];
}

function testsOf({ suites, specs }: PlaywrightSuite): TestRun[] {
  const own = specs.map(({ ok, file, title: name }) => ({ file: `e2e/${file}`, name, passed: ok }));
  return [...own, ...suites.flatMap(testsOf)];
}

function fromRoot(file: string): string {
  return file.startsWith("/") ? relative(process.cwd(), file) : file;
}

function describeSuite({ suites, specs }: PlaywrightSuite): string[] {
  const failed = specs.filter(({ ok }) => !ok);
  const own = failed.map(({ file, title, tests }) => {
    const messages = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
    return describeFailure(`e2e/${file}`, title, messages.map(({ message }) => message).join("\n"));
  });
  return [...own, ...suites.flatMap(describeSuite)];
}

/** Only shows the first lines, which have the reason. The whole output is printed above. */
function describeFailure(file: string, name: string, message: string): string {
  const lines = message.split("\n").filter((line) => line.trim() !== "");
  const shown = lines.slice(0, 8).map((line) => `      ${line.slice(0, 200)}`);
  return [`${fromRoot(file)} > ${name}`, ...shown].join("\n");
}

/** If a runner fails without a failed test, or runs no test, that counts as a failure. */
export function withExitCode(outcome: TestOutcome, exitCode: number): TestOutcome {
  const silent = outcome.failed === 0 && (exitCode !== 0 || outcome.passed === 0);
  return silent ? { ...outcome, failed: 1 } : outcome;
}

const repeatedFilesMax = 3;

/** The files to run again. None if more failed than a busy machine explains, or something else than a test. */
export function filesToRepeat({ failed, tests }: TestOutcome): string[] {
  const failures = tests.filter(({ passed }) => !passed);
  const files = [...new Set(failures.map(({ file }) => file))];
  return failures.length === failed && files.length <= repeatedFilesMax ? files : [];
}

/** The second run of these files counts, and failures of the first are named. */
export function withSecondRun(
  first: TestOutcome,
  second: TestOutcome,
  files: readonly string[],
): TestOutcome {
  const isRepeated = ({ file }: TestRun) => files.includes(file);
  const passedBefore = first.tests.filter((test) => isRepeated(test) && test.passed).length;
  return {
    passed: first.passed - passedBefore + second.passed,
    failed: second.failed,
    skipped: first.skipped,
    failures: second.failures,
    unstable: first.failures,
    tests: [...first.tests.filter((test) => !isRepeated(test)), ...second.tests],
    files: [...first.files, ...second.files],
  };
}

export function sum(outcomes: TestOutcome[]): TestOutcome {
  return outcomes.reduce(
    (total, { passed, failed, skipped, failures, unstable, tests, files }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
      failures: [...total.failures, ...failures],
      unstable: [...total.unstable, ...unstable],
      tests: [...total.tests, ...tests],
      files: [...total.files, ...files],
    }),
    nothingRun,
  );
}
