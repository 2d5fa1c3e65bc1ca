import { expect, test } from "vitest";
import { actionOf, changesOf } from "./actions.ts";

test("an action without a message is distinguished from one that has one", () => {
  expect(actionOf("link.edit")).toEqual({ noun: "link", verb: "edit" });
  expect(actionOf("constructor.edit")).toBeUndefined();
  expect(actionOf("link.toString")).toBeUndefined();
  expect(actionOf("")).toBeUndefined();
});

test("a change has both sides, a secret and a number of a row neither", () => {
  expect(
    changesOf({
      expires_at: { from: null, to: "2026-01-01T00:00:00.000Z" },
      password_hash: true,
      folder_pk: { from: 3, to: 4 },
      name: "Autumn",
    }),
  ).toEqual([
    { field: "expiresAt", from: null, to: "2026-01-01T00:00:00.000Z" },
    { field: "password" },
    { field: "folder" },
    { field: "name", to: "Autumn" },
  ]);
  expect(changesOf(null)).toEqual([]);
});
