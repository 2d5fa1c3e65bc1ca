import { defineConfig } from "vitest/config";

const rooms = "{lib,workers,app,components,scripts,prisma,test}";
const exclude = ["**/*.db.test.*", "**/*.contract.test.*", "**/node_modules/**"];
/** What is waited for comes in milliseconds; on a machine that is busy with other things it may take longer. */
const patient = {
  expect: { poll: { timeout: 20_000 } },
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    projects: [
      { test: { ...patient, name: "unit", include: [`${rooms}/**/*.test.{ts,tsx}`], exclude } },
      {
        test: {
          ...patient,
          name: "db",
          include: [`${rooms}/**/*.db.test.ts`],
          globalSetup: ["test/database.ts"],
          setupFiles: ["test/cheap-passwords.ts"],
          // A test waits for PostgreSQL as long as it works itself; each file has stores of its own.
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...patient,
          name: "contract",
          include: [`${rooms}/**/*.contract.test.ts`],
        },
      },
      {
        test: {
          ...patient,
          name: "chaos",
          include: ["e2e/chaos/**/*.chaos.test.ts"],
          // Most of their time they wait for what they stopped; three at once would be late for each other.
          maxWorkers: 2,
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
