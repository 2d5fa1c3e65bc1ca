import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSecrets } from "./secrets.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fuxi-secrets-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

test("secrets are created once and are readable by their owner only", () => {
  const secrets = openSecrets(folder);
  expect(openSecrets(folder)).toEqual(secrets);
  expect(secrets.codeKey).toMatch(/^[0-9a-f]{64}$/);
  expect(secrets.codeTweak).toMatch(/^[0-9a-f]{14}$/);
  expect(statSync(join(folder, "secrets.json")).mode & 0o777).toBe(0o600);
});

test("two folders have different secrets", () => {
  const other = join(folder, "other");
  mkdirSync(other);
  expect(openSecrets(other).codeKey).not.toBe(openSecrets(folder).codeKey);
});

test("a database whose secrets are lost does not get new ones", () => {
  mkdirSync(join(folder, "postgres"));
  expect(() => openSecrets(folder)).toThrow("secrets.json is missing");
});

test("a file that lacks a secret is refused by its name", () => {
  writeFileSync(join(folder, "secrets.json"), JSON.stringify({ codeKey: "00" }));
  expect(() => openSecrets(folder)).toThrow("Missing: codeTweak");
});
