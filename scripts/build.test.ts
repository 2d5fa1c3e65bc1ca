import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { clearPages } from "./build.ts";
import { replaceFiles } from "./compile.ts";

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-build-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a build of the pages leaves the program that runs it where it is", async () => {
  const folder = openFolder();
  for (const name of ["cache", "dev", "fuxi-launcher", "fuxi-processes", "server", "static"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "file"), "");
  }
  for (const name of ["BUILD_ID", "fuxi-launcher.stamp", "fuxi-processes.stamp"]) {
    writeFileSync(join(folder, name), "");
  }
  clearPages(folder);
  expect(readdirSync(folder).sort()).toEqual([
    "cache",
    "dev",
    "fuxi-launcher",
    "fuxi-launcher.stamp",
  ]);
  expect(readdirSync(join(folder, "fuxi-launcher"))).toEqual(["file"]);
  // `next build` must not clear it, either.
  const { default: config } = await import("../next.config.ts");
  expect(config.cleanDistDir).toBe(false);
});

test("compiling again touches only what changed, and removes what is no longer made", () => {
  const folder = openFolder();
  const make = (files: Record<string, string>) =>
    replaceFiles(
      folder,
      Object.entries(files).map(([name, text]) => ({ name, contents: Buffer.from(text) })),
    );
  make({ same: "1", changed: "1", gone: "1" });
  const before = statSync(join(folder, "same"));
  make({ same: "1", changed: "2" });
  expect(readdirSync(folder).sort()).toEqual(["changed", "same"]);
  expect(statSync(join(folder, "same")).ino).toBe(before.ino);
  expect(statSync(join(folder, "changed")).size).toBe(1);
});
