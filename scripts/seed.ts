/** Seeds an instance, by running prisma/seed.ts in a process of its own with the final environment. */
import { Advice, type Output, runVisibly } from "./processes.ts";

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
