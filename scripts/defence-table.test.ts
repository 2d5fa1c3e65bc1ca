import { expect, test } from "vitest";
import { writeDefences } from "./defence-table.ts";

const document = `Before

<!-- table of test:mutation -->

| Defence | File   | Fails without it      |
| ------- | ------ | --------------------- |
| A       | \`a.ts\` | \`a.test.ts\`: a \\| b   |
| Gone    | \`c.ts\` | \`c.test.ts\`: c       |

<!-- end of the table -->

After`;
const [a, b, c] = ["a", "b", "c"].map((name) => ({
  name,
  title: name.toUpperCase(),
  test: `x/${name}.test.ts`,
  replacement: "",
}));

test("outcomes of a run replace rows, earlier ones stay, and those of lost defences go", () => {
  const files = new Map([
    ["a", ["moved/a.ts"]],
    ["b", ["b.ts"]],
  ]);
  const outcomes = new Map([["b", { caughtBy: "one `b` | two" }]]);
  const text = writeDefences(document, [a!, b!, c!], files, outcomes);
  expect(text.split("\n").slice(4, -3)).toEqual([
    "| Defence | File | Fails without it |",
    "| --- | --- | --- |",
    "| A | `moved/a.ts` | `a.test.ts`: a \\| b |",
    "| B | `b.ts` | `b.test.ts`: one b \\| two |",
    "",
  ]);
  expect(text.startsWith("Before\n\n<!-- table")).toBe(true);
  expect(text.endsWith("<!-- end of the table -->\n\nAfter")).toBe(true);
});
