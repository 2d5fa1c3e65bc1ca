/** Generated secrets, stored in the data folder and readable by its owner only. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Advice } from "./processes.ts";

export interface Secrets {
  codeKey: string;
  codeTweak: string;
  sessionSecret: string;
  databasePassword: string;
  redisPassword: string;
}

function generateSecrets(): Secrets {
  return {
    codeKey: randomBytes(32).toString("hex"),
    codeTweak: randomBytes(7).toString("hex"),
    sessionSecret: randomBytes(32).toString("hex"),
    databasePassword: randomBytes(16).toString("hex"),
    redisPassword: randomBytes(16).toString("hex"),
  };
}

function fileIn(dataDir: string): string {
  return join(dataDir, "secrets.json");
}

export function hasSecrets(dataDir: string): boolean {
  return existsSync(fileIn(dataDir));
}

/**
 * Secrets that are not given are created once. Throws if there is a database but no secrets, because new secrets would find none
 * of its links.
 */
export function openSecrets(dataDir: string, given: Partial<Secrets> = {}): Secrets {
  const file = fileIn(dataDir);
  const secrets = existsSync(file) ? parseSecrets(file) : undefined;
  if (secrets !== undefined) return secrets;
  if (existsSync(join(dataDir, "postgres"))) {
    throw new Advice(
      `${file} is missing, but the database in this folder was created with it. Restore the file, or move ${dataDir} away to start with an empty database.`,
    );
  }
  const invented = { ...generateSecrets(), ...given };
  writeFileSync(`${file}.new`, `${JSON.stringify(invented, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return invented;
}

function parseSecrets(file: string): Secrets {
  const found: unknown = JSON.parse(readFileSync(file, "utf8"));
  const missing = Object.keys(generateSecrets()).filter((name) => !hasText(found, name));
  if (missing.length > 0)
    throw new Advice(
      `${file} is incomplete. Missing: ${missing.join(", ")}. Restore the file from a backup.`,
    );
  return asSecrets(found);
}

function hasText(found: unknown, name: string): boolean {
  if (typeof found !== "object" || found === null) return false;
  return Object.entries(found).some(([key, value]) => key === name && typeof value === "string");
}

/** Sound because `parseSecrets` has checked each text. */
function asSecrets(found: unknown): Secrets {
  return found as Secrets;
}
