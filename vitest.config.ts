import { defineConfig } from "vitest/config";

const rooms = "{lib,workers,app,components,scripts,prisma,test}";
/** Links distributed over several servers (Citus): only longer runs, and runs that name such a file, try these. */
const withSeveralServers =
  Boolean(process.env["TEST_LONG"] || process.env["TEST_CITUS_URL"]) ||
  process.argv.some((arg) => arg.includes("-apart"));
/** Chaos tests that only longer runs try, and runs that name them, with what checks the same rule in every run. */
const longChaos = {
  cost: "lib/redirect/visits/visit.db.test.ts",
  deployment: "scripts/deploy.test.ts",
  image: "scripts/deploy.test.ts",
  importers: "lib/transfer/importers/importers.db.test.ts",
  "postgres-loss":
    "lib/platform/replicas/replicas.db.test.ts, lib/platform/sequences/sequences.db.test.ts",
  recipients: "e2e/chaos/imports.chaos.test.ts, lib/outreach/sources/sources.db.test.ts",
  release: "prisma/expanding.test.ts",
  report: "e2e/chaos/faults.chaos.test.ts",
  rolling: "lib/platform/http/http.test.ts",
  "scale-out": "e2e/chaos/redis-loss.chaos.test.ts, lib/platform/replicas/replicas.db.test.ts",
  webhooks: "lib/outreach/webhooks/delivery.db.test.ts",
  wechat: "test/wechat-exchange.db.test.ts",
};
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

function longChaosFiles(): string[] {
  if (process.env["TEST_LONG"]) return [];
  const others = Object.keys(longChaos).filter(
    (name) => !process.argv.some((arg) => arg.includes(`chaos/${name}`)),
  );
  return others.map((name) => `e2e/chaos/${name}.chaos.test.ts`);
}

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
          exclude: ["**/node_modules/**", ...(withSeveralServers ? [] : ["**/*-apart.db.test.ts"])],
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
          exclude: ["**/node_modules/**", ...longChaosFiles()],
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
