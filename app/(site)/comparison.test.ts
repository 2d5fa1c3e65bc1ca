import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadMessages } from "#lib/platform/messages/schema";
import { comparedOn, products } from "./comparison.tsx";

test("the README and the landing page compare the same products, with the same facts and date", async () => {
  const { landing } = await loadMessages("en");
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const part = readme.split("## How it compares")[1]?.split("## ")[0] ?? "";
  const [head, , ...rows] = part
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.replace(/[[\]`]/g, "").trim())
        .slice(1, -1),
    );
  expect(head).toEqual(["", ...Object.values(products).map(({ name }) => name)]);
  const listed: Record<string, string>[] = Object.values(landing.comparison.rows);
  const shown = listed.map(({ title, ...cells }) => [
    title,
    ...Object.keys(products).map((product) => cells[product] ?? ""),
  ]);
  expect(rows).toEqual(shown);
  for (const { name, url } of Object.values(products)) {
    if (url !== null) expect(part).toContain(`[${name}]: ${url}`);
  }
  const date = comparedOn.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  expect(part).toContain(`as of ${date}`);
});
