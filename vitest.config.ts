import { defineConfig } from "vitest/config";
import { leftOut } from "./test/long-tests.ts";

const rooms = "{lib,workers,app,components,scripts,prisma,test}";
/** Links distributed over several servers (Citus): only longer runs, and runs that name such a file, try these. */
const withSeveralServers =
  Boolean(process.env["TEST_LONG"] || process.env["TEST_CITUS_URL"]) ||
  process.argv.some((arg) => arg.includes("-apart"));
/** Citus does not index links of API keys, and names of a database are compared on PostgreSQL alone. */
const onlyOnPostgres = [
  "lib/links/indexing/{indexing,changes}.db.test.ts",
  "test/public-names.db.test.ts",
];
const exclude = ["**/*.db.test.*", "**/*.contract.test.*", "**/node_modules/**"];
/**
 * Waits usually take milliseconds; a busy machine may take longer. The worker has a low priority, so beside chaos
 * tests it gets little of a core.
 */
const longTimeouts = {
  expect: { poll: { timeout: 300_000 } },
  testTimeout: 900_000,
  hookTimeout: 600_000,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...longTimeouts,
          name: "unit",
          include: [`${rooms}/**/*.test.{ts,tsx}`],
          exclude,
          // As for database tests; the state of a module belongs to one file.
          isolate: false,
          setupFiles: ["test/fresh-modules.ts"],
          // Otherwise a machine of two cores gets one.
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...longTimeouts,
          name: "db",
          include: [`${rooms}/**/*.db.test.ts`],
          exclude: [
            "**/node_modules/**",
            ...(withSeveralServers ? [] : ["**/*-apart.db.test.ts"]),
            ...(process.env["TEST_CITUS_URL"] ? onlyOnPostgres : []),
          ],
          globalSetup: ["test/database.ts"],
          // Their start and their packages take longer than most tests.
          isolate: false,
          setupFiles: [
            "test/fresh-modules.ts",
            "test/cheap-passwords.ts",
            ...(withSeveralServers ? ["test/distribution.ts"] : []),
          ],
          // Tests wait for PostgreSQL a part of the time; each file has its own stores.
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...longTimeouts,
          name: "contract",
          include: [`${rooms}/**/*.contract.test.ts`],
        },
      },
      {
        test: {
          ...longTimeouts,
          name: "chaos",
          include: ["e2e/chaos/**/*.chaos.test.ts"],
          exclude: ["**/node_modules/**", ...leftOut("e2e/chaos")],
          globalSetup: ["e2e/chaos/setup.ts"],
          // As for database tests.
          isolate: false,
          setupFiles: ["test/fresh-modules.ts"],
          // They mostly wait for stopped processes; three at once would delay each other.
          maxWorkers: 2,
        },
      },
    ],
  },
});
