import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { configPath, readConfig, writeConfig } from "./config-file.ts";

const folder = mkdtempSync(join(tmpdir(), "fuxi-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("settings are where programs of each system keep them", () => {
  const at = (platform: NodeJS.Platform, home: string, env = {}) =>
    configPath({ platform, home, env });
  expect(at("linux", "/home/ada")).toBe("/home/ada/.config/fuxi/config.json");
  expect(at("darwin", "/Users/ada")).toBe(
    "/Users/ada/Library/Application Support/fuxi/config.json",
  );
  expect(at("win32", "C:\\Users\\ada", { APPDATA: "D:\\Roaming" })).toBe(
    "D:\\Roaming\\fuxi\\config.json",
  );
  expect(at("linux", "/home/ada", { XDG_CONFIG_HOME: "/x" })).toBe("/x/fuxi/config.json");
});

test("only the owner can read the keys, also after a change", () => {
  const path = join(folder, "made", "config.json");
  writeConfig(path, { server: "https://a.example", keys: { "https://a.example": "one" } });
  writeConfig(path, { server: "https://a.example", keys: { "https://a.example": "two" } });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "made")).mode & 0o777).toBe(0o700);
  expect(readConfig(path).keys).toEqual({ "https://a.example": "two" });
  expect(readFileSync(path, "utf8")).not.toContain("one");
});

test("a missing file is empty, a damaged one says what to do, and wrong values are ignored", () => {
  expect(readConfig(join(folder, "missing.json"))).toEqual({ keys: {} });
  const path = join(folder, "config.json");
  writeFileSync(path, "{");
  expect(() => readConfig(path)).toThrow(/Delete it and sign in again/);
  writeFileSync(path, JSON.stringify({ server: 1, keys: { "https://a.example": 2 } }));
  expect(readConfig(path)).toEqual({ keys: {} });
});
