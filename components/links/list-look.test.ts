import { expect, test } from "vitest";
import { parseLook, writeLook } from "./list-look.ts";

test("what was written is read again, and whatever else stands there is as usual", () => {
  expect(parseLook(writeLook({ view: "cards", density: "compact" }))).toEqual({
    view: "cards",
    density: "compact",
  });
  for (const text of [undefined, "", "tiles.huge", "rows", "\0.\0"]) {
    expect(parseLook(text)).toEqual({ view: "rows", density: "comfortable" });
  }
});
