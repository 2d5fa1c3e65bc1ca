import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AppError, errorCodes, errorStatus, presentError } from "./index.ts";

test.each(["en", "zh"])("the page of errors explains every code and no other (%s)", (locale) => {
  const catalogue = JSON.parse(
    readFileSync(new URL(`../messages/${locale}.json`, import.meta.url), "utf8"),
  );
  expect(Object.keys(catalogue.apiErrors.codes).sort()).toEqual([...errorCodes].sort());
});

test("a client error names the correction; the text of any other stays internal", () => {
  const known = presentError(new AppError("conflict", "The key is taken."), "https://go.example");
  expect(known).toEqual({
    status: errorStatus.conflict,
    body: {
      error: {
        code: "conflict",
        message: "The key is taken.",
        doc_url: "https://go.example/docs/api/errors#conflict",
      },
    },
  });
  const unknown = presentError(new Error("password of the database is hunter2"), "");
  expect(unknown.status).toBe(500);
  expect(JSON.stringify(unknown)).not.toContain("hunter2");
});
