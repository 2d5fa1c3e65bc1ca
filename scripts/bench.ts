/** `npm run bench <name> [--keep]`: one of the files in bench/. With --keep its results replace the committed ones. */
import { join } from "node:path";
import { buildProcesses } from "./build.ts";
import { buildEnvironment } from "./environment.ts";
import { runVisibly } from "./processes.ts";

const benches = [
  "cost",
  "redirect",
  "create",
  "imports",
  "campaigns",
  "front",
  "search",
  "ingest",
  "destinations",
  "passwords",
  "analytics",
  "links-page",
  "lighthouse",
  "tasks",
  "hostile",
  "lifetime",
  "webhooks",
  "start",
  "memory",
];

const [name = "", ...flags] = process.argv.slice(2);
const file = join("bench", `${name}.ts`);
if (!benches.includes(name)) {
  process.stderr.write(`Name a benchmark: npm run bench ${benches.join(" | ")}\n`);
  process.exit(1);
}
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => stopping.abort());
}
await buildProcesses({
  env: buildEnvironment(process.env),
  report: console.log,
  signal: stopping.signal,
});
process.exit(
  await runVisibly(process.execPath, ["--import", "tsx", file, ...flags], {
    signal: stopping.signal,
  }),
);
