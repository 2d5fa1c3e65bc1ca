/** Finds private keys and keys of services in tracked files. They belong in .env or a vault. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";

const patterns: [what: string, pattern: RegExp][] = [
  ["a private key", /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/],
  ["an AWS key", /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60,})/],
  ["a Slack token", /\bxox[abprs]-[A-Za-z0-9-]{20,}/],
  ["a Google key", /\bAIza[0-9A-Za-z_-]{35}\b/],
  ["a Stripe key", /\b[rs]k_live_[0-9A-Za-z]{20,}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["a signed token", /\beyJ[A-Za-z0-9_-]{20,}\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}/],
  // Only matches random keys. Keys in tests repeat a word or digit.
  [
    "an API key of Fuxi",
    /\bfuxi_(?=\w*\d\w*\d)(?=\w*[A-Z]\w*[A-Z])(?=\w*[a-z]\w*[a-z])[0-9A-Za-z]{22,}\b/,
  ],
  [
    "a password in a URL",
    /\b(?:postgres(?:ql)?|rediss?|smtps?):\/\/[^\s:/@]+:(?!password|secret|\$|<)[^\s:/@"'`$]{8,}@(?!127\.|localhost|db\b|host\b|mail\.example)/,
  ],
];
const largestBytes = 2_000_000;

export function findSecrets(): string[] {
  const { stdout } = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  const names = stdout.split("\n").filter((name) => name !== "" && existsSync(name));
  return names
    .filter((name) => statSync(name).size < largestBytes)
    .flatMap((name) => secretsIn(name, readFileSync(name, "utf8")));
}

export function secretsIn(name: string, text: string): string[] {
  return patterns.flatMap(([what, pattern]) => {
    const at = text.search(pattern);
    const line = text.slice(0, at).split("\n").length;
    return at < 0
      ? []
      : [`${name}:${line}: this looks like ${what}. Remove it, and replace it where it is used.`];
  });
}
