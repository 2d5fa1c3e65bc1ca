/** `npm run check`: everything that needs no database, in parallel. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { printClientTypes } from "../app/api/client-types.ts";
import { describeOperations } from "../app/api/index.ts";
import { findCrossings } from "./check-borders.ts";
import { findLostDefences } from "./check-defences.ts";
import { findWideDoors } from "./check-doors.ts";
import { findPackageProblems } from "./check-packages.ts";
import { findMixed } from "./check-prisma.ts";
import { findSecrets } from "./check-secrets.ts";
import { findSharedTables } from "./check-tables.ts";
import { readSources } from "./imports.ts";
import { run } from "./processes.ts";
import { hashFiles } from "./stamps.mjs";

const colors = `--colors=${process.stdout.isTTY ? "force" : "off"}`;
const toolFolder = ".fuxi-tools";
const messages = ["en", "zh"].map((locale) => `lib/platform/messages/${locale}.json`);
/** The compiler's cache from the last run. The compiler does not notice changed JSON files, so the name has their hash. */
const knownTypes = join(toolFolder, `types-${hashFiles(messages).slice(0, 16)}.tsbuildinfo`);
const checks = [
  {
    name: "biome",
    args: ["node_modules/@biomejs/biome/bin/biome", "ci", colors, "--max-diagnostics=50"],
  },
  {
    name: "types",
    args: ["node_modules/typescript-7/bin/tsc", "--noEmit", "--tsBuildInfoFile", knownTypes],
  },
  { name: "unused", args: ["node_modules/knip/bin/knip.js", "--no-progress"] },
];

const timeoutMs = 900_000;
const startedAt = Date.now();
const clientFile = "app/sdk/generated/api.ts";
const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1);

generateTypedClient();
for (const name of existsSync(toolFolder) ? readdirSync(toolFolder) : []) {
  const file = join(toolFolder, name);
  if (name.startsWith("types-") && file !== knownTypes) rmSync(file);
}
const sources = readSources(".");
const ownChecks = [
  { name: "borders", problems: findCrossings(sources) },
  { name: "doors", problems: findWideDoors(sources) },
  { name: "tables", problems: findSharedTables(sources) },
  { name: "prisma", problems: findMixed(sources) },
  { name: "defences", problems: findLostDefences(sources) },
  { name: "packages", problems: findPackageProblems() },
  { name: "secrets", problems: findSecrets() },
].map(({ name, problems }) => ({
  name,
  code: problems.length,
  seconds: seconds(),
  text: problems.join("\n"),
}));
const programs = await Promise.all(
  checks.map(async ({ name, args }) => {
    const { code, stdout, stderr } = await run(process.execPath, args, { timeoutMs });
    return { name, code, seconds: seconds(), text: `${stdout}${stderr}`.trim() };
  }),
);
const results = [...ownChecks, ...programs];
for (const { name, code, text } of results.filter((result) => result.code !== 0)) {
  process.stdout.write(`\n── ${name} (exit code ${code}) ${"─".repeat(50)}\n${text}\n`);
}
process.stdout.write("\n");
for (const { name, code, seconds } of results) {
  process.stdout.write(`  ${name.padEnd(9)} ${code === 0 ? "clean" : "PROBLEMS"}   ${seconds} s\n`);
}
process.exit(results.every(({ code }) => code === 0) ? 0 : 1);

/** Generates the types of app/sdk from the OpenAPI document. Only writes changes. */
function generateTypedClient(): void {
  const text = printClientTypes(describeOperations());
  if (existsSync(clientFile) && readFileSync(clientFile, "utf8") === text) return;
  mkdirSync(dirname(clientFile), { recursive: true });
  writeFileSync(clientFile, text);
}
