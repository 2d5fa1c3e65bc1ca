/** `npm run fuxi -- <command>`: the back office on the command line of the server. */
import { runFuxi } from "./fuxi-commands.ts";
import { withOwnDatabase } from "./own-database.ts";
import { setOwnEnvironment } from "./own-settings.ts";

async function withInstance<T>(work: () => Promise<T>): Promise<T> {
  return await withOwnDatabase(
    (databaseUrl) => {
      setOwnEnvironment(databaseUrl);
      return work();
    },
    () => undefined,
  );
}

const { code, stdout, stderr } = await runFuxi(process.argv.slice(2), withInstance);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exit(code);
