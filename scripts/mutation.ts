/**
 * `npm run test:mutation [-- name …] [--write]`: removes the defences of test/defences.json one at a time, in a copy of
 * the code, and runs the test of each. A defence that can be removed without a failing test ends with 1.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { type Defence, defences } from "../test/defences.ts";
import { startTestServices } from "../test/services.ts";
import { run } from "./processes.ts";
import { parseVitestReport } from "./test-outcome.ts";

/** What the tests of defences need. */
const copied = [
  ...["app", "components", "docs", "e2e", "lib", "prisma", "scripts", "test", "workers"],
  ...[
    "instrumentation.ts",
    "next.config.ts",
    "package.json",
    "server.ts",
    "tsconfig.json",
    "vitest.config.ts",
  ],
];
const document = "docs/security.md";
const tableStart = "<!-- table of test:mutation -->\n";
const tableEnd = "<!-- end of the table -->";
const testTimeoutMs = 600_000;

interface Mutation {
  defence: Defence;
  /** The first test that failed. */
  caughtBy: string | undefined;
}

const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith("--"));
const chosen = defences.filter(
  ({ name }) => names.length === 0 || names.some((part) => name.includes(part)),
);
const copy = mkdtempSync(join(tmpdir(), "fuxi-mutation-"));
const services = await startTestServices((line) => process.stdout.write(`  ${line}\n`));
const env = {
  ...process.env,
  TEST_DATABASE_URL: services.databaseUrl,
  TEST_REDIS_URL: services.redisUrl,
};
const mutations: Mutation[] = [];
try {
  for (const name of copied) cpSync(name, join(copy, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
  for (const defence of chosen) {
    const mutation = { defence, caughtBy: await removeDefence(defence) };
    mutations.push(mutation);
    process.stdout.write(
      `  ${mutation.caughtBy ? "caught  " : "MISSED  "} ${defence.name}\n           ${mutation.caughtBy ?? `no test of ${defence.test} failed`}\n`,
    );
  }
} finally {
  await services.stop();
  rmSync(copy, { recursive: true, force: true });
}
const missed = mutations.filter(({ caughtBy }) => caughtBy === undefined);
process.stdout.write(`\n  ${mutations.length - missed.length} of ${mutations.length} caught\n`);
if (args.includes("--write") && names.length === 0) {
  writeTable();
  await run(process.execPath, [
    "node_modules/@biomejs/biome/bin/biome",
    "format",
    "--write",
    document,
  ]);
}
process.exit(missed.length === 0 && mutations.length > 0 ? 0 : 1);

/** The name of the test that fails without the defence. */
async function removeDefence({
  file,
  text,
  replacement,
  test,
}: Defence): Promise<string | undefined> {
  const path = join(copy, file);
  const original = readFileSync(path, "utf8");
  const report = join(copy, "report.json");
  const kind = test.endsWith(".db.test.ts") ? "db" : "unit";
  rmSync(report, { force: true });
  writeFileSync(
    path,
    original.replace(text, () => replacement),
  );
  try {
    const reporters = ["--reporter=json", `--outputFile=${report}`];
    const command = [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--project",
      kind,
      ...reporters,
      test,
    ];
    await run(process.execPath, command, { cwd: copy, env, timeoutMs: testTimeoutMs });
  } finally {
    writeFileSync(path, original);
  }
  if (!existsSync(report)) return undefined;
  // A file that cannot be loaded proves nothing: only tests that ran count.
  const { tests } = parseVitestReport(JSON.parse(readFileSync(report, "utf8")));
  return tests.find(({ passed }) => !passed)?.name;
}

function writeTable(): void {
  const rows = mutations.map(
    ({ defence, caughtBy }) =>
      `| ${defence.name} | \`${defence.file}\` | \`${basename(defence.test)}\`: ${(caughtBy ?? "none").replaceAll("|", "\\|").replaceAll("`", "")} |`,
  );
  const table = ["| Defence | File | Fails without it |", "| --- | --- | --- |", ...rows].join(
    "\n",
  );
  const [before = "", rest = ""] = readFileSync(document, "utf8").split(tableStart);
  const after = rest.slice(rest.indexOf(tableEnd));
  writeFileSync(document, `${before}${tableStart}\n${table}\n\n${after}`);
}
