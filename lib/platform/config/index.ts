/** The environment, parsed once. An invalid one ends the process with all problems listed. */
import { logLevels } from "./parsers.ts";
import { type Config, settings } from "./settings.ts";
import { InvalidValue } from "./values.ts";

export type { Config } from "./settings.ts";
export { decimalsOf, type Offer } from "./values.ts";

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem(s):\n  ${problems.join("\n  ")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

type Environment = Record<string, string | undefined>;

export function parseConfig(environment: Environment): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, key] of Object.entries(settings)) {
    const given = environment[name] || key.fallback;
    if (given === undefined) {
      problems.push(`${name} is missing. ${key.description}`);
      continue;
    }
    try {
      values[name] = key.parse(given);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      problems.push(`${name} must be ${error.message}. ${key.description}`);
    }
  }
  problems.push(...unknownNames(environment));
  problems.push(...missingKeys(values));
  if (problems.length === 0) problems.push(...sharedHosts(asConfig(values)));
  if (problems.length > 0) throw new ConfigError(problems);
  return asConfig(values);
}

const reputationKeys = {
  "safe-browsing": "FUXI_SAFE_BROWSING_KEY",
  "web-risk": "FUXI_WEB_RISK_KEY",
} as const;

function missingKeys(values: Record<string, unknown>): string[] {
  const ofReputation = Object.entries(reputationKeys)
    .filter(([service, key]) => values["FUXI_REPUTATION"] === service && !values[key])
    .map(([service, key]) => `${key} is missing. FUXI_REPUTATION=${service} needs it.`);
  const ofFiles = ["FUXI_S3_KEY_ID", "FUXI_S3_SECRET"]
    .filter((key) => values["FUXI_S3_URL"] && !values[key])
    .map((key) => `${key} is missing. FUXI_S3_URL needs it.`);
  return [...ofReputation, ...ofFiles];
}

/** The domains of workspaces are checked at the start, when there is a database. */
function sharedHosts({ FUXI_PUBLIC_SHORTENER: host, ...config }: Config): string[] {
  const others = {
    FUXI_URL: new URL(config.FUXI_URL).hostname,
    FUXI_SHORT_HOST: config.FUXI_SHORT_HOST,
    FUXI_DOMAINS_TARGET: config.FUXI_DOMAINS_TARGET,
  };
  // defence: public-host-apart
  return Object.entries(others)
    .filter(([, other]) => host !== undefined && other === host)
    .map(([name]) => `FUXI_PUBLIC_SHORTENER must be another host than that of ${name}.`);
}

/** Sound because every name of `settings` was parsed by its own parser, or a ConfigError was thrown. */
function asConfig(values: Record<string, unknown>): Config {
  return values as Config;
}

/** An unknown name with the FUXI_ prefix is a typo. */
function unknownNames(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("FUXI_") && !(name in settings))
    .map((name) => `${name} is not a setting of Fuxi. See .env.example for all settings.`);
}

let parsed: Config | undefined;

export function config(): Config {
  parsed ??= parseConfig(process.env);
  return parsed;
}

/** False: emails only go to the outbox folder, where the administrator can read them. */
export function isMailConfigured(): boolean {
  return config().FUXI_SMTP_URL !== undefined;
}

export function configOrExit(): Config {
  try {
    return config();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** The log starts before the settings are checked, because it reports invalid ones. */
export function peekLogLevel(): string {
  return logLevels.find((level) => level === process.env["FUXI_LOG_LEVEL"]) ?? "info";
}

/** next-auth reads its origin from the environment only. */
export function setNextAuthUrl(): void {
  process.env["NEXTAUTH_URL"] = config().FUXI_URL;
}

/** Otherwise Next.js compiles next.config.ts at every start, for which it needs the compiler. */
export function setNextConfig(built: string): void {
  process.env["__NEXT_PRIVATE_STANDALONE_CONFIG"] = built;
}

export function envExample(): string {
  const lines = Object.entries(settings).map(
    ([name, key]) => `# ${key.description}\n# ${name}=${key.fallback ?? ""}\n`,
  );
  return `# All settings with their defaults. npm start works without any of them and reads .env if it exists.\n\n${lines.join("\n")}`;
}

export function environmentWith(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}
