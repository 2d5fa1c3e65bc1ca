/**
 * Every setting of Fuxi: its name, its meaning, its parser.
 *
 * Written without zod on purpose: the redirect reads the same settings and must start without a framework, and two
 * parsers of one environment could diverge. `.env.example` is generated from this table; a test compares them.
 */
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { InvalidValue, type Parse, prices } from "./values.ts";

interface Setting<T> {
  /** One sentence for `.env.example` and for error messages. */
  description: string;
  parse: Parse<T>;
  /** Text that is parsed when the variable is absent; without it the setting is required. */
  fallback?: string;
}

const text: Parse<string> = (value) => value;

function optional<T>(parse: Parse<T>): Parse<T | undefined> {
  return (value) => (value === "" ? undefined : parse(value));
}

function integer(min: number, max: number): Parse<number> {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new InvalidValue(`a whole number from ${min} to ${max}`);
  };
}

function address(...schemes: string[]): Parse<string> {
  return (value) => {
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : "";
    if (schemes.includes(scheme)) return value;
    throw new InvalidValue(`a URL that starts with ${schemes.map((s) => `${s}://`).join(" or ")}`);
  };
}

const origin: Parse<string> = (value) => {
  const url = address("http", "https")(value);
  if (new URL(url).origin === url) return url;
  throw new InvalidValue("an origin without a path, such as https://links.example.com");
};

const host: Parse<string> = (value) => {
  if (/^[a-z0-9.-]+$/.test(value)) return value;
  throw new InvalidValue("a lowercase domain without scheme or port, such as go.example.com");
};

const headerName: Parse<string> = (value) => {
  if (/^[A-Za-z][A-Za-z0-9-]*$/.test(value)) return value.toLowerCase();
  throw new InvalidValue("the name of a header, such as CF-IPCountry");
};

function hex(...bytes: number[]): Parse<string> {
  return (value) => {
    if (/^[0-9a-f]*$/.test(value) && bytes.includes(value.length / 2)) return value;
    throw new InvalidValue(`${bytes.map((b) => b * 2).join(" or ")} lowercase hexadecimal digits`);
  };
}

function longerThan(length: number): Parse<string> {
  return (value) => {
    if (value.length >= length) return value;
    throw new InvalidValue(`at least ${length} characters`);
  };
}

const email: Parse<string> = (value) => {
  if (/^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 254) return value;
  throw new InvalidValue("an email address");
};

const mailbox: Parse<string> = (value) => {
  if (/^[^<>@\r\n]*<[^\s@<>]+@[^\s@<>]+>$|^[^\s@<>]+@[^\s@<>]+$/.test(value)) return value;
  throw new InvalidValue("an email address, optionally with a name: Fuxi <fuxi@example.com>");
};

function oneOf<const T extends string>(...choices: T[]): Parse<T> {
  return (value) => {
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw new InvalidValue(`one of ${choices.join(", ")}`);
  };
}

const list: Parse<string[]> = (value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

const addresses: Parse<string[]> = (value) => {
  const items = list(value);
  if (items.every((item) => isIP(item) !== 0)) return items;
  throw new InvalidValue("comma-separated IP addresses, such as 203.0.113.7 or 2001:db8::7");
};

/** `9.9.9.9`, `127.0.0.1:5353`, `[::1]:5353` */
const resolvers: Parse<string[]> = (value) => {
  const items = list(value);
  if (items.every(isResolver)) return items;
  throw new InvalidValue("comma-separated IP addresses, such as 9.9.9.9 or [::1]:5353");
};

function isResolver(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, six, four = six, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  return four !== undefined && isIP(four) === (six === undefined ? 4 : 6) && Number(port) <= 65_535;
}

export const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;

function setting<T>(description: string, parse: Parse<T>, fallback?: string): Setting<T> {
  return fallback === undefined ? { description, parse } : { description, parse, fallback };
}

export const settings = {
  NODE_ENV: setting(
    "development enables hot reloading and the weaker Content-Security-Policy that it needs.",
    oneOf("production", "development", "test"),
    "production",
  ),
  HOST: setting("IP address or host that the public port listens on.", text, "127.0.0.1"),
  PORT: setting("Public port.", integer(1, 65_535), "3000"),
  FUXI_DATA_DIR: setting("Folder for the database, secrets, spool and files.", text, ".fuxi"),
  FUXI_IMPORTS_GB_MAX: setting(
    "Maximum total size of the stored import files of all workspaces, in GB.",
    integer(1, 1_000_000),
    "100",
  ),
  DATABASE_URL: setting(
    "URL of PostgreSQL. If not set, npm start runs its own PostgreSQL.",
    address("postgres", "postgresql"),
  ),
  DATABASE_POOL_MAX: setting("Maximum PostgreSQL connections per process.", integer(2, 200), "10"),
  REDIS_URL: setting(
    "URL of Redis, with AOF enabled and maxmemory-policy noeviction. Separate the nodes of a cluster with commas. If not set, npm start runs its own Redis.",
    redisAddresses,
  ),
  FUXI_URL: setting("Public origin of the dashboard and the API.", origin, "http://localhost:3000"),
  FUXI_SHORT_HOST: setting(
    "Default domain for short links. Empty: the host of FUXI_URL.",
    optional(host),
    "",
  ),
  FUXI_DOMAINS_TRUSTED: setting(
    "yes: custom domains work without verification. no: they have to be verified by DNS first.",
    oneOf("yes", "no"),
    "no",
  ),
  FUXI_DOMAINS_TARGET: setting(
    "CNAME target for custom domains. Empty: the default domain.",
    optional(host),
    "",
  ),
  FUXI_DOMAINS_ADDRESSES: setting(
    "Comma-separated IP addresses for custom domains without a CNAME. Empty: the IP addresses of FUXI_DOMAINS_TARGET.",
    addresses,
    "",
  ),
  FUXI_DNS_SERVERS: setting(
    "Comma-separated DNS resolvers for verifying domains and fetching link metadata, with an optional port. Empty: the resolvers of the OS.",
    resolvers,
    "",
  ),
  FUXI_CERTIFICATE_TOKEN: setting(
    "Token for asking on the public port whether a domain may get a certificate. Empty: only FUXI_LOCAL_PORT answers.",
    optional(longerThan(24)),
    "",
  ),
  FUXI_FETCH: setting(
    "Which servers link metadata and icons may be fetched from. public: public servers only. none: disabled, for servers without internet access. loopback: also this machine, for tests.",
    oneOf("public", "none", "loopback"),
    "public",
  ),
  FUXI_WEB_URL: setting(
    "Internal URL of the Next.js process.",
    address("http"),
    "http://127.0.0.1:3001",
  ),
  FUXI_TRUSTED_PROXIES: setting(
    "Comma-separated IP addresses or networks of proxies whose X-Forwarded-* headers are trusted.",
    list,
    "",
  ),
  FUXI_COUNTRY_HEADER: setting(
    "Header in which trusted proxies send the visitor’s country, such as CF-IPCountry. They have to set it in every request. Empty: the country is looked up by IP address.",
    optional(headerName),
    "",
  ),
  FUXI_CODE_KEY: setting(
    "Key for generating random slugs. Created once by npm start. Fuxi doesn’t start with a different key.",
    hex(16, 24, 32),
  ),
  FUXI_CODE_TWEAK: setting("Tweak for FUXI_CODE_KEY.", hex(7, 8)),
  FUXI_SESSION_SECRET: setting("Signs sessions. Created once by npm start.", longerThan(32)),
  FUXI_OWNER_EMAIL: setting(
    "Email address of the first account, for unattended setup.",
    optional(email),
    "",
  ),
  FUXI_OWNER_PASSWORD: setting(
    "Password of the first account, for unattended setup.",
    optional(longerThan(10)),
    "",
  ),
  FUXI_API_KEY: setting(
    "API key with all scopes in the first workspace, for unattended setup.",
    optional(longerThan(24)),
    "",
  ),
  FUXI_SIGNUP: setting(
    "open: anyone can sign up. closed: only the first account can sign up without an invitation.",
    oneOf("open", "closed"),
    "open",
  ),
  FUXI_WORKSPACES: setting(
    "Who may create workspaces. everyone: every account. administrators: only the administrators of this instance. Empty: everyone with FUXI_SIGNUP=open, administrators with FUXI_SIGNUP=closed.",
    optional(oneOf("everyone", "administrators")),
    "",
  ),
  FUXI_INVITATIONS: setting(
    "Who may invite people. workspaces: owners and admins, each to their workspace. administrators: of these only the administrators of this instance.",
    oneOf("workspaces", "administrators"),
    "workspaces",
  ),
  FUXI_SMTP_URL: setting(
    "Mail server, such as smtps://user:password@mail.example.com. Empty: emails are saved in the outbox folder of FUXI_DATA_DIR.",
    optional(address("smtp", "smtps")),
    "",
  ),
  FUXI_MAIL_FROM: setting("Sender of emails.", mailbox, "Fuxi <fuxi@localhost>"),
  FUXI_GOOGLE_ID: setting("Google OAuth client ID, to sign in with Google.", optional(text), ""),
  FUXI_GOOGLE_SECRET: setting("Google OAuth client secret.", optional(text), ""),
  FUXI_GITHUB_ID: setting("GitHub OAuth client ID, to sign in with GitHub.", optional(text), ""),
  FUXI_GITHUB_SECRET: setting("GitHub OAuth client secret.", optional(text), ""),
  FUXI_OPERATOR_TOKEN: setting(
    "Bearer token for /metrics and /status on the public port. Empty: only FUXI_LOCAL_PORT answers.",
    optional(longerThan(24)),
    "",
  ),
  FUXI_REDIRECT_PROCESSES: setting(
    "Number of processes of npm run redirect. cores: one per CPU core.",
    processes,
    "1",
  ),
  FUXI_API_RATE_PER_MINUTE: setting(
    "Maximum API requests per minute and key. If the plan has a lower limit, that one applies. 0: no limit.",
    integer(0, 10_000_000),
    "0",
  ),
  FUXI_PRICES: setting(
    "Prices on the pricing page, such as free=0 €; personal=9 € a month. Plans without a price ask visitors to contact the administrator.",
    prices,
    "",
  ),
  FUXI_LINKS_IN_MEMORY: setting(
    "Number of links that each process caches in memory, at about 600 bytes each.",
    integer(100, 10_000_000),
    "500000",
  ),
  FUXI_LOCAL_PORT: setting(
    "Loopback port that answers /metrics, /status and certificate requests without a token; no proxy may lead to it. 0: none.",
    integer(0, 65_535),
    "0",
  ),
  FUXI_WORKER_PORT: setting(
    "Loopback port for the health and metrics of a worker. 0: none.",
    integer(0, 65_535),
    "0",
  ),
  FUXI_CLICK_SHARDS: setting("Number of Redis streams for clicks.", integer(1, 64), "1"),
  FUXI_CLICKS_KEPT_DAYS: setting(
    "Days to keep individual clicks. Stats are kept.",
    integer(8, 3_650),
    "400",
  ),
  FUXI_LOG_LEVEL: setting("Minimum level of log messages.", oneOf(...logLevels), "info"),
};

function processes(value: string): number {
  return value === "cores" ? availableParallelism() : integer(1, 256)(value);
}

function redisAddresses(value: string): string {
  for (const item of list(value)) address("redis", "rediss")(item);
  if (value.trim() !== "") return value;
  throw new InvalidValue("a URL that starts with redis:// or rediss://");
}

type Settings = typeof settings;
export type Config = { readonly [Name in keyof Settings]: ReturnType<Settings[Name]["parse"]> };
