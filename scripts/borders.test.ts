import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBiomeFile, withBorders } from "./borders.ts";

/** An empty house with our borders, so that what is planted never disturbs a check of the real one. */
let house = "";

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), "fuxi-borders-"));
  for (const file of ["biome.json", ".gitignore"]) copyFileSync(file, join(house, file));
});

afterAll(() => rmSync(house, { recursive: true }));

test("biome.json draws the borders of the table", () => {
  expect(readBiomeFile()).toBe(withBorders());
});

test("every room of lib has its borders drawn", () => {
  const rooms = readdirSync("lib").filter((room) => existsSync(join("lib", room, "index.ts")));
  const drawn = readBiomeFile();
  expect(rooms.filter((room) => !drawn.includes(`"lib/${room}/**"`))).toEqual([]);
});

test.each([
  ["lib/redirect", 'import "zod";', "The hot path stays lean."],
  ["lib/clicks", 'import "#lib/postgres";', "lib/clicks may import only"],
  ["lib/config", 'import "pg";', "Drivers are opened only in"],
  ["lib/coherence", 'import "../log/index.ts";', "Inside a room write ./x.ts"],
  ["components/ui", 'import "#lib/links/schema";', "components/ui has no domain words."],
  ["components/links", 'import "#lib/links";', "Components receive data as props"],
  ["app/api", 'import "#lib/postgres";', "Routes and pages never touch storage."],
  ["workers", 'import "ioredis";', "Drivers are opened only in"],
  ["e2e", 'import "#lib/links";', "A journey goes through the browser"],
])("an import that crosses the border of %s is refused: %s", (folder, line, message) => {
  expect(lintPlanted(folder, line)).toContain(message);
});

test("an import that stays within the borders is accepted", () => {
  expect(lintPlanted("lib/links", 'import "#lib/domains";')).not.toContain("noRestrictedImports");
});

/** What biome says about a file with this line in this folder. */
function lintPlanted(folder: string, line: string): string {
  const file = join(folder, "planted.ts");
  mkdirSync(join(house, folder), { recursive: true });
  writeFileSync(join(house, file), `${line}\n`);
  const args = ["lint", "--only=style/noRestrictedImports", file];
  const biome = resolve("node_modules/.bin/biome");
  const ended = spawnSync(biome, args, { cwd: house, encoding: "utf8" });
  return `${ended.stdout}${ended.stderr}`.replace(/[\s│]+/g, " ");
}
