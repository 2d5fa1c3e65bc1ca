/** The environment, parsed once. An invalid one ends the process with all problems listed. */
import { fileSettings, readSecretFiles } from "./files.ts";
import { logLevels } from "./parsers.ts";
import { type Config, production, settings, subjects } from "./settings.ts";
import { InvalidValue } from "./values.ts";

export type { PrivateNetwork } from "./parsers.ts";
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

/** Read when this module is loaded, because scripts look at the environment before they need all settings. */
const fileProblems = readSecretFiles(process.env);

export function parseConfig(environment: Environment): Config {
  const problems = [...fileProblems];
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

const knownNames = new Set([
  ...Object.keys(settings),
  ...fileSettings.map((name) => `${name}_FILE`),
]);

/** An unknown name with the FUXI_ prefix is a typo. */
function unknownNames(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("FUXI_") && !knownNames.has(name))
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

/** The exit code of a process that would end again, however often it is restarted, until somebody changes its settings. */
export const unfixableExit = 78;

export function configOrExit(): Config {
  try {
    return config();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(unfixableExit);
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
  const describe = (name: keyof typeof settings) => {
    const { description, fallback = "" } = settings[name];
    return `# ${description}\n# ${name}=${fallback}\n`;
  };
  const parts = [
    `# All settings with their defaults. npm start works without any of them and reads .env if it exists.
# Secrets, and URLs with passwords, may be in files: NAME_FILE is the path of a file with the value of NAME.
# These are: ${fileSettings.join(", ")}.
`,
    heading("What a production instance needs"),
    ...production.map(describe),
    ...Object.entries(subjects).flatMap(([subject, names]) => [
      heading(subject),
      ...names.filter((name) => !production.includes(name)).map(describe),
    ]),
  ];
  return parts.join("\n");
}

function heading(text: string): string {
  return `# ---- ${text} ${"-".repeat(Math.max(0, 90 - text.length))}\n`;
}

export function environmentWith(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}
