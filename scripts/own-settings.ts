/** The settings of this instance for a script that runs functions of lib with its database. */
import { mkdirSync } from "node:fs";
import { completeEnvironment, describeInstance } from "./environment.ts";
import { peekRunning } from "./lock.ts";
import { peekPort } from "./ports.ts";
import { openSecrets } from "./secrets.ts";

/** Sets the environment of this process, before lib reads it. */
export function setOwnEnvironment(databaseUrl: string): void {
  const { dataDir } = describeInstance(process.env);
  mkdirSync(dataDir, { recursive: true });
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
}
