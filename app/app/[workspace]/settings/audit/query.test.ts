import { expect, test } from "vitest";
import { filterOf, midnightOf, parseFilters } from "./query.ts";

test("invalid parameters of the address are omitted, not passed on", () => {
  const hostile = { actor: "user_1'; --", about: "link.*", from: "2026-13-40", to: ["a", "b"] };
  expect(filterOf(parseFilters(hostile), "UTC")).toEqual({});
  expect(parseFilters({ after: "aud_\u0000", before: "link_1" })).toMatchObject({
    after: "",
    before: "",
  });
});

test("days are those of the workspace, the last one included", () => {
  const filters = parseFilters({ about: "link", from: "2026-03-29", to: "2026-03-29" });
  // Clocks in Berlin are moved forward on this day.
  expect(filterOf(filters, "Europe/Berlin")).toEqual({
    action: "link.*",
    since: "2026-03-28T23:00:00.000Z",
    until: "2026-03-29T22:00:00.000Z",
  });
});

test.each([
  ["Asia/Shanghai", "2026-01-01", "2025-12-31T16:00:00.000Z"],
  ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z"],
  ["America/New_York", "2026-11-02", "2026-11-02T05:00:00.000Z"],
  ["Pacific/Auckland", "2026-01-01", "2025-12-31T11:00:00.000Z"],
])("midnight in %s on %s is %s", (zone, day, instant) => {
  expect(midnightOf(day, zone, 0)).toBe(instant);
});
