import { expect, test } from "vitest";
import { parseLook, writeLook } from "./list-look.ts";

test("a written layout is read again, and any other value gives the default", () => {
  expect(parseLook(writeLook({ view: "cards", density: "compact" }))).toEqual({
    view: "cards",
    density: "compact",
  });
  for (const text of [undefined, "", "tiles.huge", "rows", "\0.\0"]) {
    expect(parseLook(text)).toEqual({ view: "rows", density: "comfortable" });
  }
});
