/** `npm run fuxi -- <command>`: the back office on the command line of the server. */
import { completeEnvironment, describeInstance } from "./environment.ts";
import { runFuxi } from "./fuxi-commands.ts";
import { peekRunning } from "./lock.ts";
import { withOwnDatabase } from "./own-database.ts";
import { peekPort } from "./ports.ts";
import { openSecrets } from "./secrets.ts";

async function withInstance<T>(work: () => Promise<T>): Promise<T> {
  const { dataDir } = describeInstance(process.env);
  return await withOwnDatabase(
    (databaseUrl) => {
      const secrets = openSecrets(dataDir);
      const port = peekRunning(dataDir) === undefined ? undefined : peekPort(dataDir, "redis");
      const redisUrl =
        port === undefined
          ? "redis://127.0.0.1:1"
          : `redis://:${secrets.redisPassword}@127.0.0.1:${port}`;
      const created = {
        nodeEnv: "production" as const,
        databaseUrl,
        redisUrl,
        webPort: 3001,
        secrets,
      };
      Object.assign(process.env, completeEnvironment(process.env, created));
      process.env["FUXI_LOG_LEVEL"] = "silent";
      return work();
    },
    () => undefined,
  );
}

const { code, stdout, stderr } = await runFuxi(process.argv.slice(2), withInstance);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exit(code);
