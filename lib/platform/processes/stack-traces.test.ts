import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { afterAll, afterEach, expect, test } from "vitest";
import { run } from "../../../scripts/processes.ts";
import { findPosition } from "./mappings.ts";
import { nameSourceLines } from "./stack-traces.ts";

const folder = mkdtempSync(join(tmpdir(), "fuxi-traces-"));
const { prepareStackTrace } = Error;
afterEach(() => {
  Error.prepareStackTrace = prepareStackTrace;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const input = join(folder, "failing.ts");
const output = join(folder, "out", "failing.mjs");
writeFileSync(
  input,
  `import { nameSourceLines } from "${join(process.cwd(), "lib/platform/processes/stack-traces.ts")}";

function fail(text: string): never {
  const unused = { [text]: 1 };

  throw new Error(text + Object.keys(unused).length);
}

nameSourceLines();
fail("no ");
`,
);
const options: BuildOptions = {
  entryPoints: [input],
  outfile: output,
  bundle: true,
  format: "esm",
  platform: "node",
  minifyWhitespace: true,
  minifySyntax: true,
  keepNames: true,
  sourcemap: true,
  nodePaths: ["node_modules"],
};

test("an uncaught error of a compiled file names the lines of its source", async () => {
  await build(options);
  const { code, stderr } = await run(process.execPath, [output]);
  expect(code).toBe(1);
  expect(stderr).toContain(`Error: no 1\n    at fail (${input}:6:9)\n    at ${input}:10:1\n`);
});

test("each position is found as Node finds it", async () => {
  const { outputFiles } = await build({ ...options, write: false });
  const [mapText = "{}", code = ""] = (outputFiles ?? []).map(({ text }) => text);
  const map = JSON.parse(mapText);
  const whole = new SourceMap(map);
  let compared = 0;
  for (const [line, text] of code.split("\n").entries()) {
    for (let column = 0; column < text.length; column += 89) {
      const found = findPosition(map, line, column);
      const entry = whole.findEntry(line, column);
      if (found === undefined || !("originalLine" in entry)) continue;
      compared += 1;
      expect([found.line, found.column]).toEqual([entry.originalLine, entry.originalColumn]);
    }
  }
  expect(compared).toBeGreaterThan(50);
});

test("files without a map keep their lines, and errors that cannot be printed have a trace", () => {
  nameSourceLines();
  expect(traceOf(() => JSON.parse("{"))).toContain("JSON.parse (<anonymous>)");
  const strange = Object.defineProperty(new Error("x"), "toString", {
    value: () => {
      throw new Error("never");
    },
  });
  expect(() => String(strange)).toThrow("never");
  expect(strange.stack).toMatch(/^Error\n {4}at /);
});

function traceOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? String(error.stack) : "";
  }
  throw new Error("Nothing was thrown");
}
