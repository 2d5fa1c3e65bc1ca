/** Finds the tests of rooms that a change touches, and of rooms that import them. */
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { importsOf, readSources, type SourceFile } from "./imports.ts";

/** Takes about a minute and a half on two cores. */
const filesMax = 60;
const testFile = /\.test\.tsx?$/;
const otherKind = /(?:-apart\.db|\.contract|\.chaos)\.test\.ts$/;

interface ChangedTests {
  files: string[];
  leftOut: number;
}

export function listChangedFiles(): string[] {
  const git = (...args: string[]) =>
    spawnSync("git", args, { encoding: "utf8" }).stdout.split("\n").filter(Boolean);
  return [
    ...git("diff", "--name-only", "HEAD"),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
}

/** The closest tests come first: those of the same room, then of files that import it, then of rooms that import it. */
export function findChangedTests(
  changed: readonly string[],
  sources: readonly SourceFile[] = readSources("."),
): ChangedTests {
  const rooms = new Set(changed.map(roomOf));
  const tests = sources
    .map(({ name }) => name)
    .filter((name) => testFile.test(name) && !otherKind.test(name));
  const importers = new Set<string>();
  const importingRooms = new Set<string>();
  for (const { name, target } of sources.flatMap(importsOf)) {
    if (target === undefined || !rooms.has(roomOf(target))) continue;
    importers.add(name);
    if (!testFile.test(name)) importingRooms.add(roomOf(name));
  }
  const ordered = new Set([
    ...tests.filter((name) => rooms.has(roomOf(name))),
    ...tests.filter((name) => importers.has(name)),
    ...tests.filter((name) => importingRooms.has(roomOf(name))),
  ]);
  const files = [...ordered].slice(0, filesMax);
  return { files, leftOut: ordered.size - files.length };
}

/** `lib/links/tags` for lib/links/tags/store.ts; elsewhere the folder. */
function roomOf(name: string): string {
  return /^lib\/[^/]+\/[^/]+(?=\/)/.exec(name)?.[0] ?? dirname(name);
}
