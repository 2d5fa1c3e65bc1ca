import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readSecretFiles } from "./files.ts";
import { ConfigError, envExample, parseConfig } from "./index.ts";

const complete = {
  DATABASE_URL: "postgres://127.0.0.1/fuxi",
  REDIS_URL: "redis://127.0.0.1",
  FUXI_CODE_KEY: "0".repeat(64),
  FUXI_CODE_TWEAK: "0".repeat(14),
  FUXI_SESSION_SECRET: "0".repeat(32),
};

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test(".env.example lists every setting with its default", () => {
  expect(readFileSync(".env.example", "utf8")).toBe(envExample());
});

test("every problem is listed at once", () => {
  const problems = problemsOf({
    PORT: "0",
    FUXI_URL: "ftp://x",
    FUXI_CODE_KEY: "zz",
    FUXI_PROT: "1",
  });
  const names = problems.map((problem) => problem.split(" ")[0]);
  expect(names).toEqual([
    "PORT",
    "DATABASE_URL",
    "REDIS_URL",
    "FUXI_URL",
    "FUXI_CODE_KEY",
    "FUXI_CODE_TWEAK",
    "FUXI_SESSION_SECRET",
    "FUXI_PROT",
  ]);
});

test.each([
  ["safe-browsing", "FUXI_SAFE_BROWSING_KEY"],
  ["web-risk", "FUXI_WEB_RISK_KEY"],
])("the reputation service %s needs its key", (service, key) => {
  const chosen = { ...complete, FUXI_REPUTATION: service };
  expect(problemsOf(chosen)).toEqual([expect.stringContaining(`${key} is missing`)]);
  expect(problemsOf({ ...chosen, [key]: "key" })).toEqual([]);
});

test("an ICP number has the form of one", () => {
  expect(problemsOf({ ...complete, FUXI_ICP: "京ICP备12345678号-1" })).toEqual([]);
  expect(problemsOf({ ...complete, FUXI_ICP: "12345678" })).toEqual([
    expect.stringContaining("FUXI_ICP must be an ICP number"),
  ]);
});

test("an empty value counts as missing", () => {
  expect(parseConfig({ ...complete, PORT: "" }).PORT).toBe(3000);
});

test.each([
  ["PORT", "65535", "65536"],
  ["FUXI_TRUSTED_PROXIES", "10.4.7.0/24, 2001:db8::7", "10.4.7.0/24, SET-ME"],
  ["FUXI_SESSION_SECRET", "x".repeat(32), "x".repeat(31)],
  ["FUXI_CODE_KEY", "0".repeat(32), "0".repeat(34)],
  ["DATABASE_POOL_MAX", "200", "201"],
  ["FUXI_URL", "https://links.example.com", "https://links.example.com/path"],
  ["REDIS_URL", "redis://a,rediss://b", "redis://a,http://b"],
  ["FUXI_PRICES", "free=0 €; personal=9 € a month = cheap", "gratis=0 €"],
  ["FUXI_DEFAULT_PLAN", "free", "gratis"],
  ["FUXI_SOURCE_URL", "https://code.example/fuxi", "http://code.example/fuxi"],
  ["FUXI_SUPPORT_CONTACT", "help@links.example", "help"],
  ["FUXI_SUPPORT_CONTACT", "https://links.example/help", "http://links.example/help"],
  ["FUXI_STRIPE_SECRET_KEY", "sk_test_0123456789", "pk_test_0123456789"],
  ["FUXI_STRIPE_WEBHOOK_SECRET", "whsec_0123456789", "sk_test_0123456789"],
  ["FUXI_STRIPE_API_URL", "https://api.stripe.com", "https://api.stripe.com/v1"],
  ["FUXI_STRIPE_API_URL", "http://127.0.0.1:12111", "http://stripe.example"],
  [
    "FUXI_STRIPE_OFFERS",
    "personal month eur=9; personal 12 cny=600; trial eur=1",
    "personal eur=9",
  ],
  ["FUXI_STRIPE_OFFERS", "personal 36 eur=9.99", "personal 37 eur=9.99"],
  ["FUXI_STRIPE_OFFERS", "trial eur=1", "trial month eur=1"],
  ["FUXI_DOMAIN_CHECKER", "https://a.example/{domain}", "http://a.example/{domain}"],
  ["FUXI_DOMAIN_CHECKER", "http://127.0.0.1:1/?d={domain}", "https://a.example/"],
  // The smallest charges of Stripe.
  ["FUXI_STRIPE_OFFERS", "trial eur=0.50", "trial eur=0.49"],
  ["FUXI_STRIPE_OFFERS", "trial jpy=50", "trial jpy=50.5"],
  ["FUXI_STRIPE_OFFERS", "trial eur=1; trial usd=1", "trial eur=1; trial eur=2"],
])("%s accepts %s and refuses %s", (name, good, bad) => {
  expect(problemsOf({ ...complete, [name]: good })).toEqual([]);
  expect(problemsOf({ ...complete, [name]: bad })).toHaveLength(1);
});

test.each(["https://pub.example", "https://go.example"])(
  "the public host differs from other hosts of an instance at %s",
  (FUXI_URL) => {
    const hosts = { FUXI_URL, FUXI_SHORT_HOST: "s.example", FUXI_DOMAINS_TARGET: "cname.example" };
    const problems = (host: string) =>
      problemsOf({ ...complete, ...hosts, FUXI_PUBLIC_SHORTENER: host });
    expect(problems("free.example")).toEqual([]);
    for (const used of [new URL(FUXI_URL).hostname, "s.example", "cname.example"]) {
      expect(problems(used)).toHaveLength(1);
    }
  },
);

describe("secrets from files", () => {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-secrets-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileOf = (text: string) => {
    const file = join(folder, "secret");
    writeFileSync(file, text);
    return file;
  };

  test("a file is read without one line break at its end, and programs started from here get the value", () => {
    const environment = { FUXI_SESSION_SECRET_FILE: fileOf("two\nlines\n\n") };
    expect(readSecretFiles(environment)).toEqual([]);
    expect(environment).toEqual({ FUXI_SESSION_SECRET: "two\nlines\n" });
  });

  test("both forms, a missing file and the file of a setting that is no secret are problems", () => {
    const both = { DATABASE_URL: "postgres://db", DATABASE_URL_FILE: fileOf("postgres://other") };
    expect(readSecretFiles(both)).toEqual([
      "DATABASE_URL and DATABASE_URL_FILE are both set. Remove one of them.",
    ]);
    const [missing] = readSecretFiles({ REDIS_URL_FILE: join(folder, "none") });
    expect(missing).toMatch(/^REDIS_URL_FILE can’t be read: ENOENT/);
    expect(
      problemsOf({ ...complete, FUXI_ADMIN_TOKEN_FILE: "/x", FUXI_SIGNUP_FILE: "/x" }),
    ).toEqual([expect.stringContaining("FUXI_SIGNUP_FILE")]);
  });
});

const workspace = "ws_01KAYV5M3EJ2Q4R8ZC7D0N6XWB";

test("private networks are opened for workspaces by their ids", () => {
  const networks = `${workspace}=10.2.0.0/16:8080, ${workspace}=fd12:3456::/48,`;
  expect(
    parseConfig({ ...complete, FUXI_PRIVATE_NETWORKS: networks }).FUXI_PRIVATE_NETWORKS,
  ).toEqual([
    { workspaceId: workspace, network: "10.2.0.0/16", port: "8080" },
    { workspaceId: workspace, network: "fd12:3456::/48", port: null },
  ]);
  expect(parseConfig(complete).FUXI_PRIVATE_NETWORKS).toEqual([]);
});

test.each([
  ...["10.2.0.0/16", "acme=10.2.0.0/16", `${workspace}=10.2.0.0`, `${workspace}=10.2.0.0/33`],
  ...[`${workspace}=10.0.0.0/7`, `${workspace}=172.16.0.0/11`, `${workspace}=192.168.0.0/15`],
  ...[`${workspace}=0.0.0.0/0`, `${workspace}=127.0.0.0/8`, `${workspace}=169.254.0.0/16`],
  ...[`${workspace}=8.8.8.0/24`, `${workspace}=100.64.0.0/10`, `${workspace}=fe80::/10`],
  ...[`${workspace}=::1/128`, `${workspace}=::/0`, `${workspace}=::ffff:10.2.0.0/112`],
  ...[`${workspace}=10.2.0.0/16:0`, `${workspace}=10.2.0.0/16:65536`, `${workspace}=host/16`],
])("%s opens nothing and stops the start", (entry) => {
  const [problem, ...others] = problemsOf({ ...complete, FUXI_PRIVATE_NETWORKS: entry });
  expect(problem).toMatch(/^FUXI_PRIVATE_NETWORKS must be .* which ".*" is not/);
  expect(problem).toContain(entry);
  expect(others).toEqual([]);
});
