import { expect, test } from "vitest";
import type { Link } from "#lib/links/fields/schema";
import { statesOf } from "./link-state.ts";

const now = Date.parse("2026-06-01T12:00:00Z");
const plain = {
  disabledAt: null,
  expiresAt: null,
  clicks: 5,
  password: null,
  testVariants: null,
  testCompletedAt: null,
  geo: null,
  ios: null,
  android: null,
};

// Sound because `statesOf` reads no other field.
const linkWith = (fields: object) => ({ ...plain, ...fields }) as Link;

test.each([
  [{}, []],
  [{ disabledAt: "2026-01-01T00:00:00Z" }, ["off"]],
  [{ expiresAt: "2026-06-01T12:00:00Z" }, ["ended"]],
  [{ expiresAt: "2026-06-01T12:00:01Z" }, []],
  [{ startsAt: "2026-06-01T12:00:01Z" }, ["scheduled"]],
  [{ startsAt: "2026-06-01T12:00:00Z" }, []],
  [{ maxClicks: 5 }, ["limit"]],
  [{ maxClicks: 6 }, []],
  [{ loops: true }, ["loop"]],
  [{ broken: "not_found" }, ["broken"]],
  [{ retirementDue: "2026-07-01T12:00:00Z" }, ["retiring"]],
  [{ retirementDue: "2026-07-01T12:00:01Z" }, []],
  [{ retirementDue: null }, []],
  [{ retirementDue: "2026-05-01T12:00:00Z", retiredAt: "2026-05-02T00:00:00Z" }, ["retired"]],
  [{ password: "********" }, ["password"]],
  [{ testVariants: [], testCompletedAt: "2026-07-01T00:00:00Z" }, ["test"]],
  [{ testVariants: [], testCompletedAt: "2026-05-01T00:00:00Z" }, []],
  [{ rules: [{}] }, ["rules"]],
  [{ rules: [] }, []],
  [{ insideApps: { open: "browser", canContinue: true } }, ["insideApps"]],
  [{ geo: { DE: "https://example.de" } }, ["rules"]],
  [{ disabledAt: "x", password: "********", ios: "app://x" }, ["off", "password", "rules"]],
])("the states of a link with %j are %j", (fields, states) => {
  expect(statesOf(linkWith(fields), now)).toEqual(states);
});
