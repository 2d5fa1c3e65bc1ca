import { expect, test } from "vitest";
import { createWorkspaceBody, editWorkspaceBody } from "./schema.ts";

const accepts = (slug: string) => createWorkspaceBody.safeParse({ name: "A", slug }).success;

test("a slug has 3 to 48 letters, digits and single hyphens", () => {
  expect(["abc", "a".repeat(48), "my-team-2", "ABC"].map(accepts)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  const refused = [
    "ab",
    "a".repeat(49),
    "-abc",
    "abc-",
    "a--b",
    "a_b",
    "a b",
    "a/b",
    "ä-team",
    "../x",
  ];
  expect(refused.filter(accepts)).toEqual([]);
});

test("a zone is one that the runtime knows", () => {
  const zone = (name: unknown) => editWorkspaceBody.safeParse({ zone: name }).success;
  expect(["UTC", "Asia/Shanghai", "America/St_Johns"].map(zone)).toEqual([true, true, true]);
  expect(["", "Mars/Base", "UTC; DROP", 3, null].filter(zone)).toEqual([]);
});

test("new links live from a minute to ten years", () => {
  const lives = (lifetimeSeconds: unknown) =>
    editWorkspaceBody.safeParse({ lifetimeSeconds }).success;
  expect([60, 315_360_000, null].map(lives)).toEqual([true, true, true]);
  expect([59, 315_360_001, 60.5, "60"].filter(lives)).toEqual([]);
});

test("a URL reuses its link for a second to a year, and repeated clicks count once for up to a day", () => {
  const reuse = (reuseSeconds: unknown) => editWorkspaceBody.safeParse({ reuseSeconds }).success;
  expect([1, 31_536_000, null].map(reuse)).toEqual([true, true, true]);
  expect([0, 31_536_001, 1.5, "60"].filter(reuse)).toEqual([]);
  const repeat = (repeatSeconds: unknown) => editWorkspaceBody.safeParse({ repeatSeconds }).success;
  expect([1, 86_400, null].map(repeat)).toEqual([true, true, true]);
  expect([0, 86_401, 1.5, "60"].filter(repeat)).toEqual([]);
});
