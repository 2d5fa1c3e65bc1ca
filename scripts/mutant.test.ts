import { expect, test } from "vitest";
import { judge, mutate } from "./mutant.ts";

const lines = (...all: string[]) => all.join("\n");
const marker = "// defence: x";

function textOf(source: string, part: string | undefined, replacement: string, file = "a.ts") {
  const mutant = mutate(file, source, { name: "x", replacement, ...(part && { part }) });
  return "problem" in mutant
    ? mutant.problem
    : mutant.text
        .replaceAll(/\{?\/[/*] defence.*/g, "")
        .replaceAll(/\s+/g, " ")
        .trim();
}

test.each([
  ["a statement of several lines", [marker, "if (a) {", "  stop();", "}", "go();"], "go();"],
  ["a property, with its comma", ["a = {", marker, "b: 1,", "c: 2 };"], "a = { c: 2 };"],
  ["an element of a list", ["f([", marker, "[1, 2],", "3 ]);"], "f([ 3 ]);"],
  ["a call of a chain", ["a", ".b()", marker, ".c(1)", ".d();"], "a .b() .d();"],
  ["an optional call of a chain", ["a", marker, "?.c(1)", ".d();"], "a .d();"],
  ["code below other comments", [marker, "/* how */", "stop();", "go();"], "/* how */ go();"],
  ["an attribute", ["a = <b", marker, 'c="d"', 'e="f" />;'], 'a = <b e="f" />;'],
  ["an element", ["a = <b>", "{/* defence: x */}", "<i>c</i>", "<u /></b>;"], "a = <b> <u /></b>;"],
])("%s is removed", (_, source, left) => {
  expect(textOf(lines(...source), undefined, "", "a.tsx")).toBe(left);
});

test("only the operand below the marker is replaced", () => {
  const source = lines("const ok =", "a &&", marker, "b(1) &&", "c;");
  expect(textOf(source, undefined, "true")).toBe("const ok = a && true && c;");
});

test("each of several markers above a statement marks it", () => {
  const source = lines("// defence: y", marker, "// defence: z", "stop();", "go();");
  for (const name of ["x", "y", "z"]) {
    const mutant = mutate("a.mjs", source, { name, replacement: "" });
    expect(mutant).toEqual({ text: source.replace("stop();", "") });
  }
});

test("a part is replaced inside the marked code only", () => {
  const source = lines("f(`AND b`);", marker, "f(`WHERE a AND b`);", "f(`AND b`);");
  expect(textOf(source, "AND b", "")).toBe("f(`AND b`); f(`WHERE a `); f(`AND b`);");
});

test.each([
  ["a part that is gone", [marker, "a();"], "b", "", "its part is not"],
  ["a part that is there twice", [marker, "a(a);"], "a", "b", "its part is not"],
  ["a marker at the end", ["a();", marker], undefined, "", "no code begins"],
  ["a file without the marker", ["a();"], undefined, "", "no code begins"],
  ["code that cannot be parsed", [marker, "if (a) b();"], "(a)", "", "is not valid"],
])("%s is a problem", (_, source, part, replacement, problem) => {
  expect(textOf(lines(...source), part, replacement)).toContain(problem);
});

const passed = { name: "p", state: "passed", errors: [] };
const failed = { name: "f", state: "failed", errors: ["AssertionError"] };

test("only a test that ran and failed catches a mutant", () => {
  expect(judge([passed, failed])).toEqual({ caughtBy: "f" });
  expect(judge([passed])).toEqual({ problem: "no test failed" });
  expect(judge([{ ...passed, state: "skipped" }])).toEqual({ problem: "no test ran" });
  expect(judge([])).toEqual({ problem: "no test ran" });
  expect(judge([{ ...failed, errors: ["ReferenceError"] }])).toHaveProperty("problem");
});

test("a part is found however its code is indented, but not twice", () => {
  const text = "// defence: a\nrun(`\n    ONE\n      AND two`);\n";
  const given = { name: "a", part: "ONE\n AND two", replacement: "" };
  expect(mutate("a.ts", text, given)).toEqual({ text: "// defence: a\nrun(`\n    `);\n" });
  const twice = { name: "a", part: "\n", replacement: "" };
  expect(mutate("a.ts", text, twice)).toHaveProperty("problem");
});
