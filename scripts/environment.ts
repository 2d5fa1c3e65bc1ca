/** The environment of the processes: given and generated settings. */
import { resolve } from "node:path";
import { ConfigError, parseConfig, unfixableExit } from "#lib/platform/config";
import { Advice, type Variables } from "./processes.ts";
import { profileOf } from "./profiles.ts";
import type { Secrets } from "./secrets.ts";

export type NodeEnv = "production" | "development";

interface GeneratedValues {
  nodeEnv: NodeEnv;
  databaseUrl: string;
  redisUrl: string;
  webPort: number;
  secrets: Secrets;
}

export function describeInstance(env: Variables): {
  host: string;
  port: number;
  url: string;
  dataDir: string;
} {
  const { HOST, PORT, FUXI_URL, FUXI_DATA_DIR } = parse(completeEnvironment(env, placeholders));
  return { host: HOST, port: PORT, url: FUXI_URL, dataDir: FUXI_DATA_DIR };
}

export function completeEnvironment(env: Variables, generated: GeneratedValues): NodeJS.ProcessEnv {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const port = given["PORT"] ?? "3000";
  return {
    PORT: port,
    NEXT_TELEMETRY_DISABLED: "1",
    ...profileOf(given).env,
    DATABASE_URL: generated.databaseUrl,
    REDIS_URL: generated.redisUrl,
    FUXI_URL: `http://localhost:${port}`,
    FUXI_WEB_URL: `http://127.0.0.1:${generated.webPort}`,
    FUXI_CODE_KEY: generated.secrets.codeKey,
    FUXI_CODE_TWEAK: generated.secrets.codeTweak,
    FUXI_SESSION_SECRET: generated.secrets.sessionSecret,
    ...given,
    NODE_ENV: generated.nodeEnv,
    FUXI_DATA_DIR: resolve(given["FUXI_DATA_DIR"] ?? ".fuxi"),
  };
}

/** Sets the environment of this process for functions of lib, before lib reads it. */
export function setEnvironment(
  databaseUrl: string,
  secrets: Secrets,
  redisUrl = "redis://127.0.0.1",
): void {
  const created = { nodeEnv: "production", databaseUrl, redisUrl, webPort: 3001, secrets } as const;
  Object.assign(process.env, completeEnvironment(process.env, created));
}

export function buildEnvironment(env: Variables): NodeJS.ProcessEnv {
  return completeEnvironment(env, placeholders);
}

/** Stand-ins for values that are generated later, so that invalid settings are reported at once. */
const placeholders: GeneratedValues = {
  nodeEnv: "production",
  databaseUrl: "postgres://127.0.0.1/fuxi",
  redisUrl: "redis://127.0.0.1",
  webPort: 3001,
  secrets: {
    codeKey: "0".repeat(64),
    codeTweak: "0".repeat(14),
    sessionSecret: "0".repeat(64),
    databasePassword: "",
    redisPassword: "",
  },
};

function parse(env: Variables) {
  try {
    return parseConfig(env);
  } catch (error) {
    throw error instanceof ConfigError ? new Advice(error.message, unfixableExit) : error;
  }
}
