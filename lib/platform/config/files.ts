/** Secrets from files: `NAME_FILE` is the path of a file with the value of `NAME`, as Docker and Kubernetes mount them. */
import { readFileSync } from "node:fs";

/** Secrets, and URLs that may contain a password. */
export const fileSettings = [
  "DATABASE_URL",
  "DATABASE_READ_URL",
  "DATABASE_DIRECT_URL",
  // The driver of PostgreSQL reads it, if a URL has no password.
  "PGPASSWORD",
  "REDIS_URL",
  "REDIS_CACHE_URL",
  "REDIS_CLICKS_URL",
  "REDIS_QUEUE_URL",
  "REDIS_LIMITS_URL",
  "FUXI_S3_KEY_ID",
  "FUXI_S3_SECRET",
  "FUXI_CERTIFICATE_TOKEN",
  "FUXI_CODE_KEY",
  "FUXI_CODE_TWEAK",
  "FUXI_SESSION_SECRET",
  "FUXI_SESSION_SECRET_PREVIOUS",
  "FUXI_OWNER_PASSWORD",
  "FUXI_API_KEY",
  "FUXI_SMTP_URL",
  "FUXI_GOOGLE_SECRET",
  "FUXI_GITHUB_SECRET",
  "FUXI_OPERATOR_TOKEN",
  "FUXI_ADMIN_TOKEN",
  "FUXI_SAFE_BROWSING_KEY",
  "FUXI_WEB_RISK_KEY",
  "FUXI_STRIPE_SECRET_KEY",
  "FUXI_STRIPE_WEBHOOK_SECRET",
] as const;

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
