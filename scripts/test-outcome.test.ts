import { expect, test } from "vitest";
import { parsePlaywrightReport, parseVitestReport, sum, withExitCode } from "./test-outcome.ts";

test("a suite that cannot be loaded counts as one failure", () => {
  const report = {
    numPassedTests: 2,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      { status: "failed", assertionResults: [{ status: "failed" }, { status: "passed" }] },
      { status: "failed", assertionResults: [] },
      { status: "passed", assertionResults: [{ status: "passed" }] },
    ],
  };
  expect(parseVitestReport(report)).toEqual({ passed: 2, failed: 2, skipped: 1 });
});

test("a journey that passed only when repeated counts as a failure", () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
  const outcome = parsePlaywrightReport({ stats, errors: [] });
  expect(outcome).toEqual({ passed: 5, failed: 2, skipped: 2 });
});

test("a runner that reports nothing has failed", () => {
  const nothing = parseVitestReport({});
  expect(withExitCode(nothing, 0).failed).toBe(1);
  expect(withExitCode({ passed: 3, failed: 0, skipped: 0 }, 1).failed).toBe(1);
  expect(withExitCode({ passed: 3, failed: 0, skipped: 0 }, 0).failed).toBe(0);
  expect(withExitCode({ passed: 3, failed: 2, skipped: 0 }, 1).failed).toBe(2);
});

test("totals add up over all runners", () => {
  const outcomes = [
    { passed: 1, failed: 0, skipped: 2 },
    { passed: 3, failed: 4, skipped: 0 },
  ];
  expect(sum(outcomes)).toEqual({ passed: 4, failed: 4, skipped: 2 });
});
