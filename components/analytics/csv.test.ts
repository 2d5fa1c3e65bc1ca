import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";

test("cells are quoted where they must be, and none is a formula", () => {
  expect(
    csvOf([
      ["name", "clicks"],
      ['say "hi", all', 3],
      ["=HYPERLINK(1)", -1],
      ["@a\nb", 0],
    ]),
  ).toBe('name,clicks\r\n"say ""hi"", all",3\r\n\'=HYPERLINK(1),-1\r\n"\'@a\nb",0\r\n');
});
