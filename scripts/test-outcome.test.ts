import { join } from "node:path";
import { expect, test } from "vitest";
import {
  filesToRepeat,
  nothingRun,
  parsePlaywrightReport,
  parseVitestReport,
  sum,
  withExitCode,
  withSecondRun,
} from "./test-outcome.ts";

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
  expect(parseVitestReport(report)).toMatchObject({ passed: 2, failed: 2, skipped: 1 });
});

test("every failed test is named with its file and reason", () => {
  const assertions = [
    {
      status: "failed",
      fullName: "a click is counted",
      failureMessages: ["expected 1 to be 2\n  at x.ts:1"],
    },
    { status: "passed", fullName: "a link is made", failureMessages: [] },
  ];
  const suite = {
    name: join(process.cwd(), "lib/x.test.ts"),
    status: "failed",
    assertionResults: assertions,
  };
  const [failure, ...others] = parseVitestReport({ testResults: [suite] }).failures;
  expect(failure).toContain("lib/x.test.ts > a click is counted\n      expected 1 to be 2");
  expect(others).toEqual([]);
  const spec = {
    ok: false,
    file: "links.spec.ts",
    title: "a list is searched",
    tests: [{ results: [{ errors: [{ message: "no such button" }] }] }],
  };
  const nested = { suites: [{ suites: [{ specs: [spec, { ...spec, ok: true }] }] }] };
  expect(parsePlaywrightReport(nested).failures).toEqual([
    "e2e/links.spec.ts > a list is searched\n      no such button",
  ]);
});

test("a journey that passed only when repeated counts as a failure", () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
  const outcome = parsePlaywrightReport({ stats, errors: [] });
  expect(outcome).toMatchObject({ passed: 5, failed: 2, skipped: 2 });
});

test("a runner that reports nothing has failed", () => {
  const nothing = parseVitestReport({});
  expect(withExitCode(nothing, 0).failed).toBe(1);
  expect(withExitCode({ ...nothingRun, passed: 3 }, 1).failed).toBe(1);
  expect(withExitCode({ ...nothingRun, passed: 3 }, 0).failed).toBe(0);
  expect(withExitCode({ ...nothingRun, passed: 3, failed: 2 }, 1).failed).toBe(2);
});

const runsOf = (...files: string[]) => files.map((file) => ({ file, name: "x", passed: false }));
const good = { file: "a.ts", name: "y", passed: true };

test("the files of at most three failures are repeated, and nothing that failed outside of a test", () => {
  const three = { ...nothingRun, failed: 3, tests: [good, ...runsOf("a.ts", "b.ts", "c.ts")] };
  expect(filesToRepeat(three)).toEqual(["a.ts", "b.ts", "c.ts"]);
  const four = { ...three, failed: 4, tests: [...three.tests, ...runsOf("d.ts")] };
  expect(filesToRepeat(four)).toEqual([]);
  expect(filesToRepeat({ ...three, failed: 4 })).toEqual([]);
  expect(filesToRepeat(nothingRun)).toEqual([]);
});

test("the second run of a file counts, and what failed before is named", () => {
  const other = { file: "b.ts", name: "z", passed: true };
  const first = {
    ...nothingRun,
    ...{ passed: 2, failed: 1, failures: ["a.ts > x"], tests: [good, other, ...runsOf("a.ts")] },
  };
  const second = { ...nothingRun, passed: 2, tests: [good, { ...good, name: "x" }] };
  expect(withSecondRun(first, second, ["a.ts"])).toEqual({
    ...{ ...nothingRun, passed: 3, unstable: ["a.ts > x"] },
    tests: [other, good, { ...good, name: "x" }],
  });
  const again = { ...second, passed: 1, failed: 1, failures: ["a.ts > x"], tests: runsOf("a.ts") };
  expect(withSecondRun(first, again, ["a.ts"])).toMatchObject({ passed: 2, failed: 1 });
});

test("totals add up over all runners", () => {
  const one = { ...nothingRun, passed: 1, skipped: 2 };
  const other = { ...one, passed: 3, failed: 4, skipped: 0, failures: ["x"], unstable: ["y"] };
  expect(sum([one, other])).toEqual({
    ...{ passed: 4, failed: 4, skipped: 2, failures: ["x"], unstable: ["y"] },
    ...{ tests: [], files: [] },
  });
});
