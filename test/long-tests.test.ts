import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { longTests } from "./long-tests.ts";

test("each test of longer runs exists, and so does what checks its rules in every run", () => {
  for (const [file, others] of Object.entries(longTests)) {
    expect([file, ...others].filter((one) => !existsSync(one))).toEqual([]);
    expect(others.filter((one) => one in longTests)).toEqual([]);
  }
});
