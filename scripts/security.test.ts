import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { attacks } from "../test/attacks.ts";
import { hasHeld, judgeAttacks, shortReport } from "./security.ts";

const attack = {
  name: "Guessing",
  inputs: "passwords",
  defence: "a limit",
  tests: ["a.test.ts > stops", "b.test.ts"],
};
const run = (file: string, name: string, passed = true) => ({ file, name, passed });

test.each(attacks.map(({ name, tests }) => [name, tests] as const))(
  "the tests of the attack %s exist",
  (_name, references) => {
    for (const reference of references) {
      const [file = "", part = ""] = reference.split(" > ");
      expect(readFileSync(file, "utf8"), reference).toContain(part);
    }
  },
);

test("an attack is refused when every one of its tests ran and passed", () => {
  const [result] = judgeAttacks(
    [run("a.test.ts", "guessing stops"), run("b.test.ts", "x")],
    [attack],
  );
  expect(result && hasHeld(result)).toBe(true);
});

test("an attack whose test fails, or did not run, is reported", () => {
  const failing = judgeAttacks(
    [run("a.test.ts", "guessing stops", false), run("b.test.ts", "x")],
    [attack],
  );
  expect(failing.map(hasHeld)).toEqual([false]);
  const renamed = judgeAttacks(
    [run("a.test.ts", "guessing ends"), run("b.test.ts", "x")],
    [attack],
  );
  expect(renamed.map(hasHeld)).toEqual([false]);
  expect(shortReport(renamed)).toContain("no test ran for a.test.ts > stops");
});
