import { resolve } from "node:path";
import { expect, test } from "vitest";
import { completeEnvironment, describeInstance } from "./environment.ts";

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

test("a bad setting is refused before anything is started", () => {
  expect(() => describeInstance({ PORT: "http" })).toThrow("PORT must be a whole number");
  expect(() => describeInstance({ FUXI_PROT: "1" })).toThrow("FUXI_PROT is not a setting");
});
