import { expect, test } from "vitest";
import { moment } from "./schema.ts";

test.each(["1970-01-01T00:00:00Z", "2026-01-31T12:00:00+08:00", "9999-12-31T23:59:59Z"])(
  "%s is a time",
  (text) => {
    expect(moment.parse(text)).toBe(text);
  },
);

test.each([
  "0000-01-01T00:00:00Z",
  "1969-12-31T23:59:59.999Z",
  "1970-01-01T00:00:00+01:00",
  "2026-01-31",
  "2026-01-31T12:00:00",
])("%s is none, and the error has an example", (text) => {
  const { error } = moment.safeParse(text);
  expect(error?.issues[0]?.message).toContain("such as 2026-01-31T12:00:00Z");
});
