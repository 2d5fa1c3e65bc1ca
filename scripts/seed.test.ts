import { expect, test } from "vitest";
import { demoFor, needsSeed } from "./seed.ts";

const empty = { hasOwner: false, hasDemo: false };
const production = { NODE_ENV: "production" as const };

test("a start loads the initial data only where something may be missing", () => {
  expect(needsSeed(empty, production)).toBe(true);
  expect(needsSeed(empty, { ...production, FUXI_DEMO: "off" })).toBe(false);
  expect(needsSeed({ ...empty, hasDemo: true }, production)).toBe(false);
  expect(needsSeed({ ...empty, hasOwner: true }, production)).toBe(false);
});

test("the owner of the settings is set up at every start, because their key may have changed", () => {
  const env = { NODE_ENV: "production" as const, FUXI_OWNER_EMAIL: "ada@example.com" };
  const owned = { hasOwner: true, hasDemo: true };
  expect(needsSeed(owned, { ...env, FUXI_OWNER_PASSWORD: "a password", FUXI_DEMO: "off" })).toBe(
    true,
  );
  expect(needsSeed(owned, env)).toBe(false);
});

test("example data is for trials: npm start with its own database, or where the settings ask for it", () => {
  const given = { NODE_ENV: "production" as const, DATABASE_URL: "postgres://db.example/fuxi" };
  expect(demoFor({ NODE_ENV: "production" })).toBe("auto");
  expect(demoFor(given)).toBe("off");
  expect(demoFor({ ...given, FUXI_DEMO: "public" })).toBe("public");
  expect(demoFor({ NODE_ENV: "production", FUXI_DEMO: "off" })).toBe("off");
});
