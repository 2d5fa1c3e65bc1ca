/** Says what to do, instead of a stack trace. */
export class DatabaseAdvice extends Error {}

/** Prints what a command returns, or the advice it throws. */
export async function runCommand(command: (databaseUrl: string) => Promise<string>): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: these commands need two settings, even where the others are not generated yet
  const databaseUrl = process.env["DATABASE_DIRECT_URL"] || process.env["DATABASE_URL"];
  try {
    if (!databaseUrl) throw new DatabaseAdvice("DATABASE_URL is missing. Set it to the database.");
    const text = await command(databaseUrl);
    // The schema engine leaves a timer of ten seconds for a released lock.
    process.stdout.write(text, () => process.exit(0));
  } catch (error) {
    if (!(error instanceof DatabaseAdvice)) throw error;
    process.stderr.write(`${error.message}\n`, () => process.exit(1));
  }
}
