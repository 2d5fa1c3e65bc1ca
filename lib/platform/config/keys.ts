/**
 * Every setting of Fuxi: its name, what it means, how it is read.
 *
 * Written without zod on purpose: the redirect reads the same settings and must start without a framework, and
 * two parsers of one environment would disagree one day. `.env.example` is this table; a test compares them.
 */
import { isIP } from "node:net";
import { availableParallelism } from "node:os";

export type Parse<T> = (text: string) => T;

interface Key<T> {
  /** One sentence for `.env.example` and for the person whose value was refused. */
  about: string;
  parse: Parse<T>;
  /** Text that is parsed when the variable is absent; without it the setting is required. */
  fallback?: string;
}

/** What a parser throws: the end of the sentence "PORT must be …". */
export class Refusal extends Error {}

const text: Parse<string> = (value) => value;

function optional<T>(parse: Parse<T>): Parse<T | undefined> {
  return (value) => (value === "" ? undefined : parse(value));
}

function integer(min: number, max: number): Parse<number> {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new Refusal(`a whole number from ${min} to ${max}`);
  };
}

function address(...schemes: string[]): Parse<string> {
  return (value) => {
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : "";
    if (schemes.includes(scheme)) return value;
    throw new Refusal(`an address that begins with ${schemes.map((s) => `${s}://`).join(" or ")}`);
  };
}

const origin: Parse<string> = (value) => {
  const url = address("http", "https")(value);
  if (new URL(url).origin === url) return url;
  throw new Refusal("an origin without a path, such as https://links.example.com");
};

const host: Parse<string> = (value) => {
  if (/^[a-z0-9.-]+$/.test(value)) return value;
  throw new Refusal("a host name in lower case without scheme or port, such as go.example.com");
};

function hex(...bytes: number[]): Parse<string> {
  return (value) => {
    if (/^[0-9a-f]*$/.test(value) && bytes.includes(value.length / 2)) return value;
    throw new Refusal(`${bytes.map((b) => b * 2).join(" or ")} lower-case hexadecimal digits`);
  };
}

function longerThan(length: number): Parse<string> {
  return (value) => {
    if (value.length >= length) return value;
    throw new Refusal(`at least ${length} characters`);
  };
}

const email: Parse<string> = (value) => {
  if (/^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 254) return value;
  throw new Refusal("an e-mail address");
};

const mailbox: Parse<string> = (value) => {
  if (/^[^<>@\r\n]*<[^\s@<>]+@[^\s@<>]+>$|^[^\s@<>]+@[^\s@<>]+$/.test(value)) return value;
  throw new Refusal("an e-mail address, or a name with one: Fuxi <fuxi@example.com>");
};

function oneOf<const T extends string>(...words: T[]): Parse<T> {
  return (value) => {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    throw new Refusal(`one of ${words.join(", ")}`);
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
  throw new Refusal("addresses such as 203.0.113.7 or 2001:db8::7, separated by commas");
};

/** `9.9.9.9`, `127.0.0.1:5353`, `[::1]:5353` */
const resolvers: Parse<string[]> = (value) => {
  const items = list(value);
  if (items.every(isResolver)) return items;
  throw new Refusal("addresses, each with a port or without, such as 9.9.9.9 or [::1]:5353");
};

function isResolver(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, six, four = six, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  return four !== undefined && isIP(four) === (six === undefined ? 4 : 6) && Number(port) <= 65_535;
}

/** Their limits stand in lib/tenancy/workspaces/plans.ts. */
export const planNames = ["free", "trial", "personal", "enterprise"] as const;
export type Prices = Partial<Record<(typeof planNames)[number], string>>;

/** `free=0 €; personal=9 € a month` */
const prices: Parse<Prices> = (value) => {
  const entries = value.split(";").filter((entry) => entry.trim() !== "");
  const known: Prices = {};
  for (const entry of entries) {
    const [given = "", ...rest] = entry.split("=");
    const name = planNames.find((one) => one === given.trim());
    const price = rest.join("=").trim();
    if (!name || price === "") {
      throw new Refusal(
        `prices of ${planNames.join(", ")}, such as free=0 €; personal=9 € a month`,
      );
    }
    known[name] = price;
  }
  return known;
};

export const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;

function key<T>(about: string, parse: Parse<T>, fallback?: string): Key<T> {
  return fallback === undefined ? { about, parse } : { about, parse, fallback };
}

export const keys = {
  NODE_ENV: key(
    "development reloads pages and allows what reloading needs.",
    oneOf("production", "development", "test"),
    "production",
  ),
  HOST: key("Address that the public port listens on.", text, "127.0.0.1"),
  PORT: key("The only public port.", integer(1, 65_535), "3000"),
  FUXI_DATA_DIR: key("Folder of the embedded database, secrets, spool and files.", text, ".fuxi"),
  DATABASE_URL: key(
    "PostgreSQL. Left out, npm start runs one of its own.",
    address("postgres", "postgresql"),
  ),
  DATABASE_POOL_MAX: key("Connections of one process to PostgreSQL.", integer(2, 200), "10"),
  REDIS_URL: key(
    "Redis with AOF and noeviction; several addresses, separated by commas, are a Cluster. Left out, npm start runs one of its own.",
    redisAddresses,
  ),
  FUXI_URL: key("Origin of the dashboard and the API.", origin, "http://localhost:3000"),
  FUXI_SHORT_HOST: key(
    "Host of the default short domain; empty: the host of FUXI_URL.",
    optional(host),
    "",
  ),
  FUXI_DOMAINS_TRUSTED: key(
    "yes: whoever may add domains is believed that they are theirs. no: a domain must be verified before it serves.",
    oneOf("yes", "no"),
    "no",
  ),
  FUXI_DOMAINS_TARGET: key(
    "Name that the DNS of other domains is to lead to; empty: the host of the default short domain.",
    optional(host),
    "",
  ),
  FUXI_DOMAINS_ADDRESSES: key(
    "Addresses that domains without a CNAME are to lead to, separated by commas; empty: those of FUXI_DOMAINS_TARGET.",
    addresses,
    "",
  ),
  FUXI_DNS_SERVERS: key(
    "Resolvers that are asked about domains, separated by commas, each with a port or without; empty: those of the system.",
    resolvers,
    "",
  ),
  FUXI_CERTIFICATE_TOKEN: key(
    "A proxy that sends it may ask which hosts may have a certificate; empty: one on this machine and those of FUXI_TRUSTED_PROXIES may.",
    optional(longerThan(24)),
    "",
  ),
  FUXI_FETCH: key(
    "Which pages and icons of sites may be fetched for people who write links: public ones; none, where this machine reaches no other; loopback, which tests need: also those of this very machine.",
    oneOf("public", "none", "loopback"),
    "public",
  ),
  FUXI_WEB_URL: key(
    "Where the front finds the Next.js process.",
    address("http"),
    "http://127.0.0.1:3001",
  ),
  FUXI_TRUSTED_PROXIES: key(
    "Addresses or networks whose X-Forwarded-* headers are believed, separated by commas.",
    list,
    "",
  ),
  FUXI_CODE_KEY: key(
    "Key of the permutation that makes codes. Made once by npm start; another key refuses to start.",
    hex(16, 24, 32),
  ),
  FUXI_CODE_TWEAK: key("Tweak of the same permutation.", hex(7, 8)),
  FUXI_SESSION_SECRET: key("Signs sessions. Made once by npm start.", longerThan(32)),
  FUXI_OWNER_EMAIL: key("First start without a browser: the owner's address.", optional(email), ""),
  FUXI_OWNER_PASSWORD: key(
    "First start without a browser: the owner's password.",
    optional(longerThan(10)),
    "",
  ),
  FUXI_API_KEY: key(
    "First start without a browser: an API key with all scopes.",
    optional(longerThan(24)),
    "",
  ),
  FUXI_SIGNUP: key(
    "open: anyone may make an account. closed: only the first person, who owns the installation.",
    oneOf("open", "closed"),
    "open",
  ),
  FUXI_SMTP_URL: key(
    "Server that sends mail, such as smtps://user:password@mail.example.com; empty: letters lie in the folder outbox of FUXI_DATA_DIR.",
    optional(address("smtp", "smtps")),
    "",
  ),
  FUXI_MAIL_FROM: key("Whom letters come from.", mailbox, "Fuxi <fuxi@localhost>"),
  FUXI_GOOGLE_ID: key("Client of Google, to sign in with it.", optional(text), ""),
  FUXI_GOOGLE_SECRET: key("The secret of that client.", optional(text), ""),
  FUXI_GITHUB_ID: key("Client of GitHub, to sign in with it.", optional(text), ""),
  FUXI_GITHUB_SECRET: key("The secret of that client.", optional(text), ""),
  FUXI_OPERATOR_TOKEN: key(
    "Whoever sends it as Bearer token may read /metrics and /status from anywhere; else only requests from the same machine may.",
    optional(longerThan(24)),
    "",
  ),
  FUXI_REDIRECT_PROCESSES: key(
    "How many processes npm run redirect answers in; cores: one for each core.",
    processes,
    "1",
  ),
  FUXI_API_RATE_PER_MINUTE: key(
    "Calls of the API in a minute that each key may make, whatever its plan; 0 is without limit.",
    integer(0, 10_000_000),
    "0",
  ),
  FUXI_PRICES: key(
    "Prices of plans as the pages show them, such as free=0 €; personal=9 € a month; a plan without one says to ask the operator.",
    prices,
    "",
  ),
  FUXI_LINKS_IN_MEMORY: key(
    "Links that one process keeps in memory, at about 600 bytes each.",
    integer(100, 10_000_000),
    "500000",
  ),
  FUXI_WORKER_PORT: key(
    "Port on loopback where a worker shows its health and its metrics, such as how far counting is behind; 0: none.",
    integer(0, 65_535),
    "0",
  ),
  FUXI_CLICK_SHARDS: key("Streams that clicks are spread over.", integer(1, 64), "1"),
  FUXI_CLICKS_KEPT_DAYS: key(
    "Days that single clicks are kept; what was counted of them stays.",
    integer(8, 3_650),
    "400",
  ),
  FUXI_LOG_LEVEL: key("How much is written to the log.", oneOf(...logLevels), "info"),
};

function processes(value: string): number {
  return value === "cores" ? availableParallelism() : integer(1, 256)(value);
}

function redisAddresses(value: string): string {
  for (const item of list(value)) address("redis", "rediss")(item);
  if (value.trim() !== "") return value;
  throw new Refusal("an address that begins with redis:// or rediss://");
}

type Keys = typeof keys;
export type Config = { readonly [Name in keyof Keys]: ReturnType<Keys[Name]["parse"]> };
