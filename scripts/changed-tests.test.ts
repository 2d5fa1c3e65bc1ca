import { expect, test } from "vitest";
import { findChangedTests } from "./changed-tests.ts";

const file = (name: string, ...imports: string[]) => ({
  name,
  text: imports.map((spec) => `import {} from "${spec}";\n`).join(""),
});

const sources = [
  file("lib/links/tags/index.ts"),
  file("lib/links/tags/tags.db.test.ts"),
  file("lib/links/tags/tags-apart.db.test.ts"),
  file("lib/links/editing/index.ts", "#lib/links/tags"),
  file("lib/links/editing/editing.test.ts"),
  file("lib/outreach/codes/codes.test.ts", "#lib/links/tags"),
  file("app/api/tags.ts", "#lib/links/tags/schema"),
  file("app/api/tags.contract.test.ts"),
  file("app/api/tags.db.test.ts"),
  file("lib/tenancy/plans/plans.test.ts"),
];

test("a change runs the tests of its room first, then those that import it, then those of rooms that do", () => {
  expect(findChangedTests(["lib/links/tags/store.ts"], sources)).toEqual({
    files: [
      "lib/links/tags/tags.db.test.ts",
      "lib/outreach/codes/codes.test.ts",
      "lib/links/editing/editing.test.ts",
      "app/api/tags.db.test.ts",
    ],
    leftOut: 0,
  });
});

test("a change outside of lib runs the tests of its folder", () => {
  expect(findChangedTests(["app/api/folders.ts"], sources).files).toEqual([
    "app/api/tags.db.test.ts",
  ]);
});

test("at most sixty files run, and the rest is counted", () => {
  const many = (count: number) => [
    file("lib/a/b/index.ts"),
    ...Array.from({ length: count }, (_, at) => file(`lib/a/b/x${at}.test.ts`)),
  ];
  const run = (count: number) => findChangedTests(["lib/a/b/index.ts"], many(count));
  expect([run(60).files.length, run(60).leftOut]).toEqual([60, 0]);
  expect([run(61).files.length, run(61).leftOut]).toEqual([60, 1]);
});
