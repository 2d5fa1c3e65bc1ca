/**
 * `npm run analytics:rebuild`: recounts every raw click and compares the rollups. Differences are listed and rolled
 * again; with `--check` nothing is changed. Ends with code 1 when anything differed. Can run while Fuxi runs.
 */
import { type Difference, findDifferences, rebuild } from "#lib/analytics/rollups";
import { completeEnvironment, describeInstance } from "./environment.ts";
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
  const stores = { databaseUrl, redisUrl: "redis://127.0.0.1" };
  const created = {
    nodeEnv: "production" as const,
    ...stores,
    webPort: 3001,
    secrets: openSecrets(dataDir),
  };
  Object.assign(process.env, completeEnvironment(process.env, created));
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
