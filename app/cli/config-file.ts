/** The file with the servers that someone signed in to, and their API keys. Only its owner may read it. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, posix, win32 } from "node:path";
import { CliFailure } from "./failures.ts";

export interface StoredConfig {
  /** The server to use when none is named: the last one that someone signed in to. */
  server?: string;
  /** Server addresses → their keys. A key is never sent to another server. */
  keys: Record<string, string>;
}

interface Home {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  home: string;
}

/** Where programs keep their settings on each system. XDG_CONFIG_HOME applies on all of them. */
export function configPath({ env, platform, home }: Home): string {
  const xdg = env["XDG_CONFIG_HOME"];
  if (platform === "win32") {
    const folder = xdg || env["APPDATA"] || win32.join(home, "AppData", "Roaming");
    return win32.join(folder, "fuxi", "config.json");
  }
  const usual = platform === "darwin" ? ["Library", "Application Support"] : [".config"];
  return posix.join(xdg || posix.join(home, ...usual), "fuxi", "config.json");
}

export function readConfig(path: string): StoredConfig {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { keys: {} };
    throw new CliFailure("usage", `${path} can’t be read. Check its permissions.`);
  }
  return parseConfig(text, path);
}

function parseConfig(text: string, path: string): StoredConfig {
  try {
    const stored: unknown = JSON.parse(text);
    const { server, keys } = Object(stored);
    const pairs = Object.entries(Object(keys)).filter(
      (pair): pair is [string, string] => typeof pair[1] === "string",
    );
    return { keys: Object.fromEntries(pairs), ...(typeof server === "string" && { server }) };
  } catch {
    throw new CliFailure("usage", `${path} is damaged. Delete it and sign in again: fuxi login`);
  }
}

/** Writes a temporary file and renames it, so that a full disk or a second program never leaves half a file. */
export function writeConfig(path: string, config: StoredConfig): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(next, path);
}
