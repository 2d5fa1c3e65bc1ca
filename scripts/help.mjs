/** Plain JavaScript: scripts/bootstrap.mjs imports it on a fresh clone. */
import { existsSync } from "node:fs";

const settings = "Settings are environment variables or lines of .env; .env.example lists them.";

export const benches = [
  "cost",
  "redirect",
  "create",
  "imports",
  "campaigns",
  "front",
  "misses",
  "search",
  "search-api",
  "ingest",
  "analytics",
  "blocks",
  "links-page",
  "lighthouse",
  "tasks",
  "hostile",
  "webhooks",
  "start",
  "memory",
  "idle",
  "capacity",
  "before",
  "citus",
];

/**
 * npm script → its text.
 * @type {Record<string, string>}
 */
export const help = {
  start: `npm start

Starts Fuxi: installs packages, starts PostgreSQL and Redis unless DATABASE_URL and REDIS_URL are set,
applies migrations, builds the pages, starts all processes and prints the address. Ctrl-C stops it.

${settings}`,
  build: `npm run build

Builds the pages and the processes that changed. npm start does so by itself; npm run redirect, api,
worker and web need it.`,
  dev: `npm run dev

Like npm start, but reloads pages and processes when a file changes.`,
  test: `npm test [kind …] [-- filter …] [--long]

Runs the tests and prints the totals. Kinds: unit, db, contract, e2e, chaos; without a kind, all of them.

  filter   only files whose path contains it, such as lib/links
  --long   more rows, seeds and minutes

Example: npm test unit db -- lib/links`,
  "test:changed": `npm run test:changed

Runs the unit and database tests that your changes since the last commit concern: those of the rooms you touched, and of
the rooms that import them. At most sixty files, the nearest first.`,
  "test:security": `npm run test:security

Runs the tests that carry out the attacks of test/attacks.json, and prints for each attack what was tried, what
refuses it and the result.`,
  "test:citus": `npm run test:citus [-- filter …]

Runs the database and chaos tests on Citus. TEST_CITUS_URL is the database of a coordinator with its workers, such as
postgres://postgres@127.0.0.1:9700/fuxi. It creates databases of its own there.`,
  "test:mutation": `npm run test:mutation [-- name …]

Removes the defences of test/defences.json one at a time from a copy of the code, and shows that a test fails for
each. Takes about half an hour.

  name   only defences whose name or title contains it`,
  "build:extension": `npm run build:extension

Builds the browser extension into .next/fuxi-extension, without the address of an instance. npm start builds it too, and
serves it at /extension.zip.`,
  "build:deployment": `npm run build:deployment [-- folder]

Writes a folder with what a production machine needs to run Fuxi, without compilers and tests, and prints its size.
Default: .next/fuxi-deployment.`,
  release: `npm run release

Checks that version, change log, files for Kubernetes, tag and tree agree, and prints what is left to do. When nothing is
left, it writes the archive of the deployment, its bill of materials and their checksums to .next/fuxi-release.`,
  check: `npm run check

Checks format, lint, types, unused code, imports between districts, writers of tables and exports of rooms.`,
  fix: `npm run fix

Formats the code and applies safe fixes of the linter.`,
  redirect: `npm run redirect

Starts only the redirect, in FUXI_REDIRECT_PROCESSES processes. Needs npm run build and the complete environment.
${settings}`,
  api: `npm run api

Starts only the API. Needs npm run build and the complete environment.
${settings}`,
  worker: `npm run worker

Starts only the worker, which counts clicks and runs jobs. Needs npm run build and the complete environment.
${settings}`,
  web: `npm run web

Starts only the dashboard pages. Needs npm run build and the complete environment.
${settings}`,
  "db:migrate": `npm run db:migrate

Applies the migrations to DATABASE_URL. Needs npm run build.`,
  "db:distribute": `npm run db:distribute
  npm run db:distribute -- --links

Distributes clicks and their rollups over the workers of Citus, by their workspace; with --links also links, with their
tags, counters and limits. DATABASE_URL is the coordinator, with the migrations applied. Stop the workers of Fuxi first,
because counting would wait; with --links, also the API and the dashboard. Safe to repeat. Needs npm run build.`,
  "db:diff": `npm run db:diff

Prints the SQL that the migrations lack compared with prisma/schema.prisma.`,
  backup: `npm run backup [-- file] [--keep N]

Writes the whole database to one gzipped SQL file, while Fuxi keeps running, and reads the file again to check it.
Default: backups/ in the data folder. Keep secrets.json, or FUXI_CODE_KEY, FUXI_CODE_TWEAK and FUXI_SESSION_SECRET, with it.

  --keep   how many backups to keep in backups/ of the data folder; older ones are deleted after a new one is complete`,
  restore: `npm run restore -- file [--erasures folder]

Loads a backup into an empty database, and again erases recipients that were erased after the backup. Stop Fuxi first, and copy
secrets.json and the folder erasures of the former data folder into the data folder. Without secrets.json, it needs FUXI_CODE_KEY,
FUXI_CODE_TWEAK and FUXI_SESSION_SECRET of the original instance, or asks for them.

  --erasures   the folder erasures, if it is somewhere else; its content is added to the data folder`,
  fuxi: `npm run fuxi -- <command> [--json] [--reason <text>]

The back office on the command line. Works while Fuxi runs or is stopped, or with DATABASE_URL. Ends with code 1
after an error.

  stats                     stats of the instance
  find <text>               links, slugs, domains, workspaces and accounts
  operator list             administrators of the instance
  operator add <email>      makes an account an administrator
  operator remove <email>   the last administrator can’t be removed
  ban list                  active bans
  ban <kind> <subject> <category>
                            bans a link, host, workspace or user; --until 2026-01-31 ends the ban
  lift <id>                 lifts a ban
  plan <workspace>          its plan, by ID or workspace URL
  plan <workspace> <plan>   sets the plan; custom limits stay
  features                  what is turned off and on
  features off <feature>    turns it off for the instance; on turns it on again
  secret reseal             after FUXI_SESSION_SECRET was changed: encrypts everything with the new one
  secret forget             gives up what a lost secret has encrypted, so that Fuxi starts
  help                      this text

  --json     prints JSON
  --reason   the reason for the change, for the audit log
  --until    when the plan or ban ends, such as 2026-01-31; without it, it has no end

Example: npm run fuxi -- find Q7kMz2`,
  "codes:inspect": `npm run codes:inspect -- slug

Prints the primary key behind a generated slug, and its link if the database is reachable.`,
  "analytics:rebuild": `npm run analytics:rebuild [-- --check]

Counts every stored click again and corrects counters that differ.

  --check   only list the differences; exit code 1 if there are any`,
  bench: `npm run bench name [-- --keep]

Runs one benchmark: ${benches.join(", ")}.
all runs the short forms of some, and prints one table. before -- <commit> compares that commit with this one, in turns.

  --short  the short form
  --keep   save the result as bench/<name>.json`,
  screenshots: `npm run screenshots
  npm run screenshots -- --all [--look wide,phone,dark,zh,phone-zh-dark]

Takes the pictures of the README, the landing page and the guides again, in docs/pictures. With --all, every page once per look, as contact
sheets in .fuxi-pictures, and fails if something overlaps, is cut or leaves its card.`,
};

for (const kind of ["unit", "db", "contract", "e2e", "chaos"]) {
  help[`test:${kind}`] = `npm run test:${kind} [-- filter …]\n\nRuns the ${kind} tests.`;
}
help["chaos:report"] =
  "npm run chaos:report\n\nInjects every fault while visits and creates are running, for about an hour, and writes a page with the results.";
help["test:long"] =
  "npm run test:long [-- filter …]\n\nRuns all tests with more rows, seeds and minutes.";

/** The script that npm runs. Without npm, the first argument or the file name. */
function scriptName() {
  const named = process.env.npm_lifecycle_event;
  if (named !== undefined && named in help) return named;
  const file =
    (process.argv[1] ?? "")
      .split("/")
      .at(-1)
      ?.replace(/\.\w+$/, "") ?? "";
  if (file === "index") return "worker";
  if (file === "migrate" || file === "distribute") return `db:${file}`;
  return file === "bootstrap" ? (process.argv[2] ?? "start") : file;
}

const [, program = ""] = process.argv;
if (program.includes("fuxi-processes") && !existsSync(program)) {
  process.stderr.write("Fuxi is not built yet. Run npm run build first.\n");
  process.exit(1);
}
if (process.argv.includes("--help") || process.argv.includes("-h")) {
  process.stdout.write(`${help[scriptName()] ?? Object.keys(help).join("\n")}\n`);
  process.exit(0);
}
