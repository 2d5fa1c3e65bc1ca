import { expect, test } from "vitest";
import { everything } from "#lib/tenancy/reach";
import { assertMay, scopeOfKey } from "./scope.ts";

const membership = {
  workspacePk: 1,
  workspaceId: "ws_1",
  slug: "acme",
  zone: "UTC",
  plan: "free",
  limits: null,
  reuseSeconds: null,
  lifetimeSeconds: null,
  retireApiDays: null,
  retirePeopleDays: null,
  retireFromCreation: false,
  createdAt: new Date(),
  banned: false,
  userPk: 1,
  userId: "user_1",
  confirmed: true,
  role: "owner",
} as const;

test("a key is told to use another one only for what a key can have", () => {
  const key = { pk: 1, id: "key_1", scopes: ["links.read"], reach: everything };
  const scope = scopeOfKey(membership, { ...key, callsPerMinute: null });
  expect(() => assertMay(scope, "links.write")).toThrow("Use a key that has it");
  expect(() => assertMay(scope, "keys.write")).toThrow("Sign in to the dashboard");
});
