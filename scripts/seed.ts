/** Seeds an instance, by running prisma/seed.ts in a process of its own with the final environment. */
import pg from "pg";
import { findServerUrl } from "#lib/platform/postgres";
import { Advice, type Output, runVisibly } from "./processes.ts";

/** What a start has to know about the database. */
export interface InstanceState {
  hasOwner: boolean;
  hasDemo: boolean;
}

export async function readInstanceState(databaseUrl: string): Promise<InstanceState> {
  const client = new pg.Client({ connectionString: await findServerUrl(databaseUrl) });
  await client.connect();
  try {
    const { rows } = await client.query<InstanceState>(
      `SELECT EXISTS (SELECT FROM app_user) AS "hasOwner",
         EXISTS (SELECT FROM workspace WHERE demo) AS "hasDemo"`,
    );
    return rows[0] ?? { hasOwner: false, hasDemo: false };
  } finally {
    await client.end();
  }
}

/** False when prisma/seed.ts would find nothing to do: loading it takes as long as loading the worker. */
export function needsSeed(
  { hasOwner, hasDemo }: InstanceState,
  env: NodeJS.ProcessEnv,
  flags: readonly string[],
): boolean {
  if (env["FUXI_OWNER_EMAIL"] && env["FUXI_OWNER_PASSWORD"]) return true;
  return !(hasOwner || hasDemo || flags.includes("--no-demo"));
}

/** Safe to call at every start: existing data stays unchanged. */
export async function seed(
  argsOf: (source: string) => string[],
  env: NodeJS.ProcessEnv,
  flags: string[],
  output: Output,
): Promise<void> {
  const args = [...argsOf("prisma/seed.ts"), ...flags];
  const code = await runVisibly(process.execPath, args, { env, output });
  if (code !== 0)
    throw new Advice(`Creating the initial data failed (exit code ${code}). See the lines above.`);
}
