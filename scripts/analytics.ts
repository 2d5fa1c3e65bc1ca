/**
 * `npm run analytics:rebuild`: recounts all raw clicks, and recomputes rollups that differ. `--check` only lists the differences.
 * Exits with 1 if anything differed.
 */
import { type Difference, findDifferences, rebuild } from "#lib/analytics/rollups";
import { describeInstance, setEnvironment } from "./environment.ts";
import { withOwnDatabase } from "./own-database.ts";
import { Advice, explain } from "./processes.ts";
import { openSecrets } from "./secrets.ts";

const shownMax = 20;

function lineOf({ table, workspacePk, start, rows }: Difference): string {
  const when = start?.toISOString() ?? "in all";
  return `${table.padEnd(10)}  workspace ${workspacePk}  ${when}  ${rows} rows`;
}

async function run(databaseUrl: string, check: boolean): Promise<Difference[]> {
  const { dataDir } = describeInstance(process.env);
  setEnvironment(databaseUrl, openSecrets(dataDir));
  return check ? await findDifferences() : await rebuild();
}

try {
  const [verb, ...flags] = process.argv.slice(2);
  if (verb !== "rebuild" || flags.some((flag) => flag !== "--check")) {
    throw new Advice(
      "Unknown option. Run npm run analytics:rebuild, or npm run analytics:rebuild -- --check",
    );
  }
  const check = flags.includes("--check");
  const found = await withOwnDatabase(
    (databaseUrl) => run(databaseUrl, check),
    () => undefined,
  );
  for (const one of found.slice(0, shownMax)) console.log(lineOf(one));
  if (found.length > shownMax) console.log(`and ${found.length - shownMax} more`);
  const summary = check
    ? "counters differ from the stored clicks"
    : "counters differed from the stored clicks and were corrected";
  console.log(
    found.length === 0 ? "All counters match the stored clicks." : `${found.length} ${summary}.`,
  );
  process.exitCode = found.length === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 2;
}
process.exit();
