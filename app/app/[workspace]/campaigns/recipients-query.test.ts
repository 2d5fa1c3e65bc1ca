import { expect, test } from "vitest";
import { neighborsOf, parseRecipients } from "./recipients-query.ts";

test("pages lead forward and back with the same filter", () => {
  const first = parseRecipients({ show: "clicked" });
  expect(first.query).toEqual({ clicked: "true", startingAfter: "0" });
  const { previous, next } = neighborsOf("/c", first, 100);
  expect({ previous, next }).toEqual({ previous: undefined, next: "/c?show=clicked&after=100" });
  const third = parseRecipients({ show: "clicked", after: "100,250" });
  expect(third.query).toEqual({ clicked: "true", startingAfter: "250" });
  expect(neighborsOf("/c", third, undefined)).toEqual({
    previous: "/c?show=clicked&after=100",
    next: undefined,
  });
});

test("positions that are none show the first page", () => {
  for (const after of ["x", "-1", "1,,2", "1.5", "2147483648", ["1", "2"]]) {
    expect(parseRecipients({ after }).query).toEqual({ startingAfter: "0" });
  }
  expect(parseRecipients({ after: "2147483647" }).query["startingAfter"]).toBe("2147483647");
});

test("a URL keeps at most 50 positions", () => {
  const after = Array.from({ length: 50 }, (_, at) => at + 1);
  const view = parseRecipients({ after: after.join(",") });
  const { next } = neighborsOf("/c", view, 51);
  expect(
    parseRecipients({ after: new URL(next ?? "", "http://x").searchParams.get("after") ?? "" })
      .after,
  ).toEqual([...after, 51].slice(1));
});
