/** The settings of PostgreSQL, Redis and the store of files: every way of running Fuxi in deploy/ can set each of them. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseEnv } from "node:util";
import pg from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { envExample, parseConfig } from "#lib/platform/config";

type Environment = Record<string, string | undefined>;

/** Names without the prefix FUXI_ are those of stores, except for what the image sets. */
const notOfStores = /^(NODE_ENV|HOST|PORT|FUXI_(?!S3_)\w+)$/;
const names = [...envExample().matchAll(/^# ([A-Z0-9_]+)=/gm)]
  .map(([, name = ""]) => name)
  .filter((name) => !notOfStores.test(name));

const required = {
  POSTGRES_PASSWORD: "secret",
  FUXI_URL: "https://links.example.com",
  FUXI_CODE_KEY: "0".repeat(64),
  FUXI_CODE_TWEAK: "0".repeat(14),
  FUXI_SESSION_SECRET: "0".repeat(32),
  FUXI_CERTIFICATE_TOKEN: "0".repeat(32),
  FUXI_OPERATOR_TOKEN: "0".repeat(32),
  FUXI_TRUSTED_PROXIES: "10.4.7.0/24",
};

/** Each setting in a form that differs from its default. */
const servers: Record<string, string> = {
  DATABASE_URL: "postgres://fuxi:a@pgbouncer:6432/fuxi",
  DATABASE_READ_URL: "postgres://fuxi:a@replica-1/fuxi,postgres://fuxi:a@replica-2/fuxi",
  DATABASE_READ_LAG_MAX_MS: "5000",
  DATABASE_POOLER: "transaction",
  DATABASE_DIRECT_URL: "postgres://fuxi:a@a,b/fuxi?target_session_attrs=read-write",
  DATABASE_POOL_MAX: "20",
  REDIS_URL: "sentinel://:a@sentinel-1:26379,sentinel-2:26379/mymaster",
  REDIS_CACHE_URL: "redis://cache-1:6379,redis://cache-2:6379,redis://cache-3:6379",
  REDIS_CLICKS_URL: "sentinels://:a@sentinel-1:26379/clicks?sentinelPassword=b",
  REDIS_QUEUE_URL: "rediss://:a@queue:6379",
  REDIS_LIMITS_URL: "redis://limits:6379",
  FUXI_S3_URL: "https://s3.example.com/files",
  FUXI_S3_REGION: "eu-west-3",
  FUXI_S3_KEY_ID: "id",
  FUXI_S3_SECRET: "secret",
  FUXI_S3_PUBLIC_URL: "https://files.example.com/files",
};

/** `${NAME:-default}` and `${NAME:?error}` of Compose; a default may contain another one. */
function interpolate(text: string, variables: Environment): string {
  const found = /\$\{(\w+)(?::([-?])([^{}]*))?\}/.exec(text);
  if (!found) return text;
  const [whole, name = "", kind, rest = ""] = found;
  const given = variables[name] || undefined;
  if (given === undefined && kind === "?") throw new Error(`${name}: ${rest}`);
  return interpolate(
    text.replace(whole, () => given ?? rest),
    variables,
  );
}

/** The environments of processes, with what a person fills in. */
type Read = (given: Environment) => Environment[];

interface ComposeService {
  image?: string;
  env_file?: string;
  environment: Record<string, unknown>;
}

/** A service has the settings of .env, except for those that the file itself sets. */
function readCompose(file: string): Read {
  const { services } = parse(readFileSync(file, "utf8"), { merge: true });
  const own = Object.values<ComposeService>(services).filter(({ image }) => image === "fuxi");
  const isRead = ({ env_file: env = "" }: ComposeService) =>
    resolve(dirname(file), env) === resolve(".env");
  return (given) =>
    own.map((service) => {
      const decided = Object.entries(service.environment).map(([name, value]) => [
        name,
        interpolate(String(value), given),
      ]);
      return { ...(isRead(service) ? given : {}), ...Object.fromEntries(decided) };
    });
}

/** Settings that a file does not have are not filled in. */
function fill(environment: Environment, given: Environment): Environment[] {
  const filled = Object.entries(given).filter(([name]) => name in environment);
  return [{ ...environment, ...Object.fromEntries(filled) }];
}

const readKubernetes: Read = (given) => {
  const objects = ["fuxi.yaml", "secret.example.yaml"].flatMap((name) =>
    parseAllDocuments(readFileSync(`deploy/kubernetes/${name}`, "utf8")).map((one) => one.toJS()),
  );
  return fill(Object.assign({}, ...objects.map((one) => one.data ?? one.stringData)), given);
};

const readSystemd: Read = (given) =>
  fill(parseEnv(readFileSync("deploy/systemd/fuxi.example.env", "utf8")), given);

afterEach(() => void vi.unstubAllEnvs());

const composeFiles = ["compose.yaml", "deploy/compose.processes.yaml"];

const ways: [string, Read][] = [
  ...composeFiles.map((file): [string, Read] => [file, readCompose(file)]),
  ["deploy/kubernetes", readKubernetes],
  ["deploy/systemd", readSystemd],
];

/** The settings of stores as a process reads them. Not every file has the keys, which `npm start` creates. */
function storesOf(environment: Environment): Record<string, unknown> {
  const config = parseConfig({ ...required, ...environment });
  return Object.fromEntries(Object.entries(config).filter(([name]) => names.includes(name)));
}

test("every setting of a store is tried with a value that is not its default", () => {
  expect(names).toContain("REDIS_LIMITS_URL");
  expect(Object.keys(servers).sort()).toEqual([...names].sort());
  const { DATABASE_URL, REDIS_URL } = servers;
  const defaults = storesOf({ DATABASE_URL, REDIS_URL });
  const same = Object.entries(storesOf(servers)).filter(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(defaults[name]),
  );
  expect(same.map(([name]) => name)).toEqual(["DATABASE_URL", "REDIS_URL"]);
});

describe.each(ways)("%s", (_, read) => {
  test("every setting of a store reaches every process", () => {
    const environments = read({ ...required, ...servers });
    expect(environments.length).toBeGreaterThan(0);
    for (const environment of environments) {
      expect(names.filter((name) => !(name in environment))).toEqual([]);
      expect(storesOf(environment)).toEqual(storesOf(servers));
    }
  });

  test("settings that are left empty have their defaults", () => {
    for (const environment of read({ ...required, FUXI_S3_URL: "", FUXI_S3_REGION: "" })) {
      const { DATABASE_URL, REDIS_URL } = environment;
      expect([DATABASE_URL, REDIS_URL]).toEqual([
        expect.stringMatching(/^postgres:/),
        expect.stringMatching(/^redis:/),
      ]);
      expect(storesOf(environment)).toEqual(storesOf({ DATABASE_URL, REDIS_URL }));
    }
  });
});

describe.each(composeFiles)("%s", (file) => {
  test("PostgreSQL accepts any password, as it is no part of the URL", () => {
    const password = "p@ss/w:rd?#%";
    const environments = readCompose(file)({ ...required, POSTGRES_PASSWORD: password });
    for (const { DATABASE_URL = "", PGPASSWORD } of environments) {
      vi.stubEnv("PGPASSWORD", PGPASSWORD);
      const client = new pg.Client({ connectionString: DATABASE_URL });
      expect([client.user, client.password, client.host, client.database]).toEqual([
        ...["fuxi", password, "postgres", "fuxi"],
      ]);
      // A URL with a password keeps its own.
      const own = new pg.Client({ connectionString: servers["DATABASE_URL"] });
      expect(own.password).toBe("a");
    }
  });

  test.each(["POSTGRES_PASSWORD", "FUXI_URL", "FUXI_CERTIFICATE_TOKEN"])(
    "without %s it does not start",
    (name) => {
      expect(() => readCompose(file)({ ...required, [name]: undefined })).toThrow(`${name}: `);
    },
  );
});

test.each(composeFiles)(
  "%s: settings of .env reach every process, its place in the network stays",
  (file) => {
    const given = { FUXI_SMTP_URL: "smtp://mail:25", PORT: "4000", HOST: "127.0.0.1" };
    const environments = readCompose(file)({ ...required, ...given });
    expect(environments.length).toBeGreaterThan(0);
    const expected = { FUXI_SMTP_URL: "smtp://mail:25", PORT: "3000", HOST: "0.0.0.0" };
    for (const environment of environments) expect(environment).toMatchObject(expected);
  },
);
