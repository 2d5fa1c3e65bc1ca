import { expect, test } from "vitest";
import { namesIn } from "./schema.ts";

test("the names of a table are in its order", () => {
  expect(namesIn({ second: 2, first: 1 })).toEqual(["second", "first"]);
});
