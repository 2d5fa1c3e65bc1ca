/** `npm run bench <name> [--keep]`: --keep replaces the committed results. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildProcesses } from "./build.ts";
import { buildEnvironment } from "./environment.ts";
import { benches } from "./help.mjs";
import { abortOnSignals, runVisibly } from "./processes.ts";

const shortBenches = ["cost", "create", "imports", "ingest", "memory"];
const results = join(".fuxi-bench", "results");

const given = process.argv.slice(2);
const [name = "all", ...more] = given[0] === "--short" ? ["all"] : given;
const wanted = name === "all" ? shortBenches : [name];
const flags = name === "all" ? ["--short"] : more;
if (name !== "all" && !benches.includes(name)) {
  process.stderr.write(`Name a benchmark: npm run bench all | ${benches.join(" | ")}\n`);
  process.exit(1);
}
const signal = abortOnSignals();
await buildProcesses({ env: buildEnvironment(process.env), report: console.log, signal });
rmSync(results, { recursive: true, force: true });
let failed = 0;
for (const one of wanted) {
  const args = ["--import", "tsx", join("bench", `${one}.ts`), ...flags];
  failed = Math.max(failed, await runVisibly(process.execPath, args, { signal }));
}
if (name === "all") console.table(wanted.flatMap(readRatios));
process.exit(failed);

function readRatios(bench: string): { bench: string; what: string; ratio: number }[] {
  try {
    const ratios: Record<string, number> = JSON.parse(
      readFileSync(join(results, `${bench}.json`), "utf8"),
    );
    return Object.entries(ratios).map(([what, ratio]) => ({ bench, what, ratio }));
  } catch {
    return [{ bench, what: "failed", ratio: Number.NaN }];
  }
}
