/** Secrets from files: `NAME_FILE` is the path of a file with the value of `NAME`, as Docker and Kubernetes mount them. */
import { readFileSync } from "node:fs";
import { settings } from "./settings.ts";

const tables: Readonly<Record<string, { isSecret?: true }>> = settings;
/** PGPASSWORD is read by the driver of PostgreSQL. */
export const fileSettings = [
  ...Object.keys(tables).filter((name) => tables[name]?.isSecret),
  "PGPASSWORD",
];

type Environment = Record<string, string | undefined>;

/** Puts the values in the place of their files, so that programs started from here get them too. Returns the problems. */
export function readSecretFiles(environment: Environment): string[] {
  return fileSettings.flatMap((name) => {
    const file = environment[`${name}_FILE`];
    if (!file) return [];
    if (environment[name]) return [`${name} and ${name}_FILE are both set. Remove one of them.`];
    try {
      // Editors and `echo` end a file with a line break.
      environment[name] = readFileSync(file, "utf8").replace(/\r?\n$/, "");
      delete environment[`${name}_FILE`];
      return [];
    } catch (error) {
      return [`${name}_FILE can’t be read: ${error instanceof Error ? error.message : error}.`];
    }
  });
}
