/** `npm run fuxi -- <command>`: the back office on the server's command line. */
import { runFuxi } from "./fuxi-commands.ts";
import { setOwnEnvironment, withOwnDatabase } from "./own-database.ts";

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
