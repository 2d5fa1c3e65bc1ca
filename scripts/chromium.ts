/**
 * Finds Chromium on the PATH, downloaded by Playwright, or in Debian's package. Never starts Playwright's own download, because
 * closed networks block it. Prefers the headless shell.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { peekUnpacked, unpackDebianPackages } from "./debian.ts";
import { Advice, findProgram, run } from "./processes.ts";

export async function findChromium(report: (line: string) => void): Promise<string> {
  const installed = findProgram(
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
  );
  if (installed !== undefined) return installed;
  const downloaded = chromium.executablePath();
  if (existsSync(downloaded)) return downloaded;
  const failures: string[] = [];
  for (const name of ["chromium-headless-shell", "chromium"]) {
    const found = await unpack(name, report);
    if (found.ok) return found.file;
    failures.push(found.reason);
  }
  throw new Advice(
    `No Chromium found. Install one, for example with: sudo apt-get install chromium, or: npx playwright install chromium. (${failures.join(" ")})`,
  );
}

/** The headless shell and Google Chrome load no extensions. */
export async function findWholeChromium(report: (line: string) => void): Promise<string> {
  const installed = findProgram("chromium", "chromium-browser");
  if (installed !== undefined) return installed;
  const downloaded = chromium.executablePath();
  if (existsSync(downloaded)) return downloaded;
  const found = await unpack("chromium", report);
  if (found.ok) return found.file;
  throw new Advice(
    `No Chromium that loads extensions was found. Install one, for example with: sudo apt-get install chromium. (${found.reason})`,
  );
}

const chineseFont = "fonts-droid-fallback";

type Unpacked = { ok: true; file: string } | { ok: false; reason: string };

async function unpack(name: string, report: (line: string) => void): Promise<Unpacked> {
  const known = peekUnpacked(name);
  // Folders of earlier versions have no Chinese font.
  if (known !== undefined && hasFont(known.folder) && (await works(writeWrapper(known, name)))) {
    return { ok: true, file: writeWrapper(known, name) };
  }
  try {
    const file = writeWrapper(await unpackDebianPackages(name, [name, chineseFont], report), name);
    if (await works(file)) return { ok: true, file };
    return { ok: false, reason: `Debian's ${name} does not run here.` };
  } catch (error) {
    if (!(error instanceof Advice)) throw error;
    return { ok: false, reason: error.message };
  }
}

export function chromiumFlags(): string[] {
  const flags = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return process.getuid?.() === 0 ? [...flags, "--no-sandbox"] : flags;
}

async function works(file: string): Promise<boolean> {
  return (await run(file, ["--version", "--no-sandbox"], { timeoutMs: 30_000 })).code === 0;
}

function hasFont(folder: string): boolean {
  return existsSync(join(folder, "usr/share/fonts/truetype/droid")) || isInstalled(chineseFont);
}

function isInstalled(debianPackage: string): boolean {
  return existsSync(join("/usr/share/doc", debianPackage));
}

function writeWrapper(
  unpacked: { folder: string; env: { LD_LIBRARY_PATH: string } },
  program: string,
): string {
  const { folder, env } = unpacked;
  const file = join(folder, "chromium.sh");
  const lines = [
    "#!/bin/sh",
    `export LD_LIBRARY_PATH=${quote(env.LD_LIBRARY_PATH)}`,
    `export FONTCONFIG_FILE=${quote(writeFontConfiguration(folder))}`,
    `exec ${quote(join(folder, "usr/lib/chromium", program))} "$@"`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o755 });
  return file;
}

function writeFontConfiguration(folder: string): string {
  const file = join(folder, "fonts.conf");
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir>${join(folder, "usr/share/fonts")}</dir>
  <cachedir>${join(folder, "font-cache")}</cachedir>
</fontconfig>
`,
  );
  return file;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
