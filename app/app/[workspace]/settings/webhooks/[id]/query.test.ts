import { expect, test } from "vitest";
import { cut, queryOf, shortened } from "./query.ts";

test("unknown states, events and cursors are left out", () => {
  const query = queryOf({ state: "x", event: ["link.created"], after: "' OR 1" });
  expect(query).toEqual({ pageSize: 26 });
  expect(queryOf({ state: "failed", event: "link.clicks", after: "evt_1" })).toEqual({
    state: "failed",
    type: "link.clicks",
    startingAfter: "evt_1",
    pageSize: 26,
  });
});

test("a long request is cut for the page", () => {
  expect(shortened("x".repeat(8_000))).toHaveLength(8_000);
  expect(shortened("x".repeat(8_001))).toBe(`${"x".repeat(8_000)}…`);
});

test("the next page keeps the filters, and the last one has none", () => {
  const rows = Array.from({ length: 26 }, (_, at) => ({ id: `evt_${at}` }));
  const query = queryOf({ event: "link.created" });
  expect(cut(rows, query, "/w")).toMatchObject({
    first: undefined,
    next: "/w?event=link.created&after=evt_24",
  });
  expect(cut(rows, query, "/w").rows).toHaveLength(25);
  const later = cut(rows.slice(1), queryOf({ after: "evt_24" }), "/w");
  expect(later).toMatchObject({ first: "/w", next: undefined });
});
