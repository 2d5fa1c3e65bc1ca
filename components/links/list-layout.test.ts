import { expect, test } from "vitest";
import { parseLayout, writeLayout } from "./list-layout.ts";

test("a written layout is read again, and any other value gives the default", () => {
  expect(parseLayout(writeLayout({ view: "cards", density: "compact" }))).toEqual({
    view: "cards",
    density: "compact",
  });
  for (const text of [undefined, "", "tiles.huge", "rows", "\0.\0"]) {
    expect(parseLayout(text)).toEqual({ view: "rows", density: "comfortable" });
  }
});
