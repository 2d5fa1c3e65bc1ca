/** The result of a test runner's JSON report. A suite that could not be loaded counts as one failure. */
export interface TestOutcome {
  passed: number;
  failed: number;
  skipped: number;
}

/** Parses vitest's report. */
export function parseVitestReport(report: unknown): TestOutcome {
  const suites = listOf(report, "testResults");
  const broken = suites.filter(
    (suite) =>
      textOf(suite, "status") === "failed" && listOf(suite, "assertionResults").every(hasNotFailed),
  );
  return {
    passed: numberOf(report, "numPassedTests"),
    failed: numberOf(report, "numFailedTests") + broken.length,
    skipped: numberOf(report, "numPendingTests") + numberOf(report, "numTodoTests"),
  };
}

/** Parses Playwright's report. A test that passed only when repeated is a failure: there are no sleeps to blame. */
export function parsePlaywrightReport(report: unknown): TestOutcome {
  const stats = fieldOf(report, "stats");
  return {
    passed: numberOf(stats, "expected"),
    failed:
      numberOf(stats, "unexpected") + numberOf(stats, "flaky") + listOf(report, "errors").length,
    skipped: numberOf(stats, "skipped"),
  };
}

/** The result of a run: a runner that failed without a failed test, or ran nothing, is a failure too. */
export function withExitCode(outcome: TestOutcome, exitCode: number): TestOutcome {
  const silent = outcome.failed === 0 && (exitCode !== 0 || outcome.passed === 0);
  return silent ? { ...outcome, failed: 1 } : outcome;
}

export function sum(outcomes: TestOutcome[]): TestOutcome {
  return outcomes.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

function hasNotFailed(assertion: unknown): boolean {
  return textOf(assertion, "status") !== "failed";
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function listOf(value: unknown, name: string): unknown[] {
  const found = fieldOf(value, name);
  return Array.isArray(found) ? found : [];
}

function numberOf(value: unknown, name: string): number {
  return Number(fieldOf(value, name) ?? 0);
}

function textOf(value: unknown, name: string): string {
  return String(fieldOf(value, name) ?? "");
}
