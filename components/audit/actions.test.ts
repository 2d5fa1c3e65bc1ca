import { expect, test } from "vitest";
import { auditActions } from "#lib/tenancy/audit/schema";
import { actionOf, changesOf, operationOf } from "./actions.ts";

test("an action without a message is distinguished from one that has one", () => {
  expect(actionOf("link.edit")).toEqual({ noun: "link", verb: "edit" });
  expect(actionOf("constructor.edit")).toBeUndefined();
  expect(actionOf("link.toString")).toBeUndefined();
  expect(actionOf("")).toBeUndefined();
});

test("everything that is recorded about a workspace has a message", () => {
  // Entries about accounts and sessions belong to no workspace.
  const shown = auditActions.filter((action) => !/^(user|session)\./.test(action));
  expect(shown.filter((action) => !(actionOf(action) ?? operationOf(action)))).toEqual([]);
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
