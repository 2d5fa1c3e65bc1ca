/** Runs prisma/seed.ts in its own process with the final environment. */
import pg from "pg";
import { findServerUrl } from "#lib/platform/postgres";
import { Advice, type Output, runVisibly } from "./processes.ts";

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

/** Avoids loading prisma/seed.ts without need, which takes as long as loading the worker. */
export function needsSeed({ hasOwner, hasDemo }: InstanceState, env: NodeJS.ProcessEnv): boolean {
  if (env["FUXI_OWNER_EMAIL"] && env["FUXI_OWNER_PASSWORD"]) return true;
  return !(hasOwner || hasDemo || env["FUXI_DEMO"] === "off");
}

/** With a database of its own, an instance is more than a trial, so it gets example data only if the settings say so. */
export function demoFor(given: NodeJS.ProcessEnv): string {
  const wanted = given["FUXI_DEMO"] || "auto";
  return wanted === "auto" && given["DATABASE_URL"] ? "off" : wanted;
}

export async function seed(
  argsOf: (source: string) => string[],
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<void> {
  const code = await runVisibly(process.execPath, argsOf("prisma/seed.ts"), { env, output });
  if (code !== 0)
    throw new Advice(`Creating the initial data failed (exit code ${code}). See the lines above.`);
}
