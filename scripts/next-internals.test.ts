/** Fuxi uses private parts of Next.js only where nothing public does the same. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { expect, test } from "vitest";
import { readSources } from "./imports.ts";

const root = join(import.meta.dirname, "..");

/** After an upgrade, look for a public replacement of each part below, test what is left, and write the version here. */
const checkedVersion = "16.4.6";
const parts = [
  // Starts a server with the configuration of its build, without the compiler that reads next.config.ts.
  "__NEXT_PRIVATE_STANDALONE_CONFIG",
  // Finds the files of packages that the processes load. `output: "standalone"` finds those of pages alone.
  "next/dist/compiled/@vercel/nft",
  // Tells which states of the router Next.js answers with 500, so that the page process answers 400 first.
  "next/dist/server/app-render/parse-and-validate-flight-router-state.js",
];

test(`the private parts of Next.js were checked with ${checkedVersion}`, () => {
  const manifest = readFileSync(join(root, "node_modules/next/package.json"), "utf8");
  expect(JSON.parse(manifest)).toMatchObject({ version: checkedVersion });
});

test("no other private part of Next.js is used, and each in one place", () => {
  const used = readSources(root)
    .filter(({ name }) => !name.endsWith(".test.ts"))
    .flatMap(({ text }) => [...text.matchAll(/"(next\/dist\/[^"]+|__NEXT_\w+)"/g)])
    .map(([, part]) => part);
  expect(used.sort()).toEqual(parts);
});

test("a state of the router is read as a page request reads it", () => {
  const read = (state: string) => parseAndValidateFlightRouterState(encodeURIComponent(state));
  expect(read('["",{"children":["app",{}]}]')).toEqual(["", { children: ["app", {}] }]);
  expect(() => read('["",{"children":1}]')).toThrow("could not be parsed");
});
