/** What a bench found: shown, stored for the table of `npm run bench all`, and with --keep in bench/. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(".fuxi-bench", "results");

/** `ratios`: what is worth a line of the table, each against a baseline of the same run. */
export function reportResult(name: string, result: object, ratios: Record<string, number>): void {
  console.dir(result, { depth: 5 });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(ratios));
  if (!process.argv.includes("--keep")) return;
  writeFileSync(join("bench", `${name}.json`), `${JSON.stringify(result, undefined, 2)}\n`);
}
