import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { unfixableExit } from "#lib/platform/config";
import { completeEnvironment, describeInstance } from "./environment.ts";
import { profileOf } from "./profiles.ts";

const secrets = {
  codeKey: "a".repeat(64),
  codeTweak: "b".repeat(14),
  sessionSecret: "c".repeat(64),
  databasePassword: "",
  redisPassword: "",
};
const created = {
  nodeEnv: "production" as const,
  databaseUrl: "postgres://127.0.0.1:5555/fuxi",
  redisUrl: "redis://127.0.0.1:6666",
  webPort: 7777,
  secrets,
};

test("an empty environment becomes a complete one", () => {
  expect(completeEnvironment({}, created)).toMatchObject({
    NODE_ENV: "production",
    PORT: "3000",
    FUXI_URL: "http://localhost:3000",
    FUXI_WEB_URL: "http://127.0.0.1:7777",
    FUXI_CODE_KEY: secrets.codeKey,
    FUXI_DATA_DIR: resolve(".fuxi"),
    DATABASE_URL: created.databaseUrl,
  });
});

test("a given value wins, an empty value counts as missing, and the address follows the port", () => {
  const given = { PORT: "4000", FUXI_CODE_KEY: "d".repeat(64), FUXI_SESSION_SECRET: "" };
  expect(completeEnvironment(given, created)).toMatchObject({
    FUXI_URL: "http://localhost:4000",
    FUXI_CODE_KEY: given.FUXI_CODE_KEY,
    FUXI_SESSION_SECRET: secrets.sessionSecret,
  });
});

test("a bad setting is refused before anything is started, with the code for which systemd tries no more", () => {
  expect(() => describeInstance({ PORT: "http" })).toThrow("PORT must be a whole number");
  expect(() => describeInstance({ FUXI_PROT: "1" })).toThrow("FUXI_PROT is not a setting");
  const exitCode = unfixableExit;
  expect(() => describeInstance({ PORT: "http" })).toThrow(expect.objectContaining({ exitCode }));
});

test("a small machine gets other defaults, and settings of its own still win", () => {
  const small = completeEnvironment({ FUXI_PROFILE: "small", DATABASE_POOL_MAX: "7" }, created);
  expect(small).toMatchObject({ FUXI_LINKS_IN_MEMORY: "30000", DATABASE_POOL_MAX: "7" });
  expect(completeEnvironment({}, created)["FUXI_LINKS_IN_MEMORY"]).toBeUndefined();
  expect(() => describeInstance({ FUXI_PROFILE: "tiny" })).toThrow("FUXI_PROFILE");
});

test("a process that is started on its own has the flags that npm start gives it", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const name of ["redirect", "api", "worker", "web"]) {
    const flags = profileOf({}).flags[name]?.join(" ");
    expect(scripts[name]).toContain(`node ${flags} --import`);
  }
});
