import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readArchive } from "../../test/archive.ts";
import { packExtension } from "./archive.ts";

test("the archive has all files in a folder, and access to its own instance alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fuxi-extension-"));
  try {
    mkdirSync(join(folder, "_locales", "en"), { recursive: true });
    writeFileSync(join(folder, "manifest.json"), JSON.stringify({ name: "Fuxi" }));
    writeFileSync(join(folder, "_locales", "en", "messages.json"), "{}");
    const [first, second] = [
      await packExtension(folder, "https://links.example.com"),
      await packExtension(folder, "https://links.example.com"),
    ];
    expect(first.equals(second)).toBe(true);
    const files = await readArchive(first);
    expect(files.map(({ name }) => name)).toEqual([
      "fuxi-extension/_locales/en/messages.json",
      "fuxi-extension/manifest.json",
    ]);
    expect(JSON.parse(files[1]?.bytes.toString() ?? "")).toEqual({
      name: "Fuxi",
      homepage_url: "https://links.example.com",
      host_permissions: ["https://links.example.com/*"],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
