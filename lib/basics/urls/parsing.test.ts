import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAppUrl, isWebUrl } from "./index.ts";
import { parseUrl } from "./web-urls.ts";

/** More calls than V8 needs to optimise a function. */
const calls = 20_000;

test("URLs with letters like ü are recognised however often one is checked", () => {
  const web = "https://bücher.example/straße";
  const app = "mailto:jürgen@bücher.example";
  let refused = 0;
  for (let at = 0; at < calls; at++) {
    if (parseUrl(web)?.hostname !== "xn--bcher-kva.example") refused += 1;
    if (!isWebUrl(web) || !isAppUrl(app)) refused += 1;
  }
  expect(refused).toBe(0);
});

test("a text that is no URL has none, also with a base", () => {
  for (const text of ["", "tea", "https://", "http://[::1", "https://a b.example"]) {
    expect(parseUrl(text), text).toBe(undefined);
  }
  expect(parseUrl("../b", "https://tea.example/a/")?.href).toBe("https://tea.example/b");
  expect(parseUrl("https://[", "https://tea.example/")).toBe(undefined);
});

test("nothing asks URL.canParse, whose optimised form is wrong in Node.js 20", () => {
  const asking = ["app", "components", "lib", "scripts", "workers"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.includes("generated"))
      .filter((path) => readFileSync(path, "utf8").includes("URL.canParse(")),
  );
  expect(asking).toEqual([]);
});
