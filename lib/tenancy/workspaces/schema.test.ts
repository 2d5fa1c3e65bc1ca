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

test("own networks are at most 50, and no larger than /8 or /20", () => {
  const accepts = (ownNetworks: unknown) => editWorkspaceBody.safeParse({ ownNetworks }).success;
  const many = (count: number) => Array.from({ length: count }, (_, at) => `10.0.0.${at}`);
  expect([[], ["203.0.113.7"], ["10.0.0.0/8", "2001:db8::/20"], many(50)].map(accepts)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  const refused = [["10.0.0.0/7"], ["2001:db8::/19"], ["0.0.0.0/0"], ["office"], many(51)];
  expect(refused.filter(accepts)).toEqual([]);
});

test("a URL reuses its link for a second to a year, and repeated clicks count once for up to a day", () => {
  const reuse = (reuseSeconds: unknown) => editWorkspaceBody.safeParse({ reuseSeconds }).success;
  expect([1, 31_536_000, null].map(reuse)).toEqual([true, true, true]);
  expect([0, 31_536_001, 1.5, "60"].filter(reuse)).toEqual([]);
  const repeat = (repeatSeconds: unknown) => editWorkspaceBody.safeParse({ repeatSeconds }).success;
  expect([1, 86_400, null].map(repeat)).toEqual([true, true, true]);
  expect([0, 86_401, 1.5, "60"].filter(repeat)).toEqual([]);
});
