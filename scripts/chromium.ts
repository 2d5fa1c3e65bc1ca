/**
 * Finds a browser for the end-to-end tests: the one on the PATH, the one that Playwright downloaded, or Debian's package
 * unpacked next to the checkout. Playwright's own download is never started, because closed networks block it.
 *
 * The headless shell is preferred: without windows it draws less, and it needs a fifth of the packages.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { peekUnpacked, unpackDebianPackages } from "./debian.ts";
import { Advice, findProgram, run } from "./processes.ts";

/** The path of a program that starts Chromium; throws advice when there is none. */
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

/**
 * The whole browser: the headless shell loads no extensions, and neither does Google Chrome from a command line. It is
 * a hundred megabytes larger, so only the test of the extension downloads it.
 */
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

/** Small, with all characters of the pages: Debian's Chromium comes with Latin fonts alone. */
const chineseFont = "fonts-droid-fallback";

type Unpacked = { ok: true; file: string } | { ok: false; reason: string };

/** Debian's package of this name, from an earlier run or downloaded now. */
async function unpack(name: string, report: (line: string) => void): Promise<Unpacked> {
  const known = peekUnpacked(name);
  // Earlier versions of this program unpacked no Chinese font.
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

/** For a headless browser. */
export function chromiumFlags(): string[] {
  const flags = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  // Chromium's sandbox does not work for root.
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

/** Writes a small program that gives Chromium its libraries and fonts. */
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

/** That of the machine, and the unpacked fonts. */
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
