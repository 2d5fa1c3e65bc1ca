import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { icons } from "@iconify-json/lucide";
import { expect, test } from "vitest";

test("every icon of the stylesheet has a drawing", () => {
  const files = readdirSync("components", { recursive: true, encoding: "utf8" });
  const sources = files.filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  const named = sources.flatMap((name) => {
    const text = readFileSync(join("components", name), "utf8");
    return [...text.matchAll(/"icon-([a-z0-9-]+)"/g)].map(([, icon = ""]) => icon);
  });
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !(name in icons.icons))).toEqual([]);
});
