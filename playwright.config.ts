/** End-to-end tests in a real browser, against the instance that `npm test` has started. */
import { defineConfig } from "@playwright/test";
import { chromiumFlags } from "./scripts/chromium.ts";
import { leftOut } from "./test/long-tests.ts";

const executablePath = process.env["TEST_CHROMIUM"] ?? "";
const reportFile = process.env["TEST_REPORT"] ?? ".fuxi-test/playwright.json";

export default defineConfig({
  testDir: "e2e",
  testMatch: /\.(e2e|spec|test)\.ts$/,
  testIgnore: ["chaos/**", ...leftOut("e2e").map((file) => file.slice("e2e/".length))],
  outputDir: ".fuxi-test/playwright",
  // Drawn again on purpose only: a missing picture is a failure.
  snapshotPathTemplate: "e2e/pictures/{arg}{ext}",
  updateSnapshots: process.env["TEST_WRITE"] ? "all" : "none",
  fullyParallel: false,
  workers: 2,
  retries: 0,
  // A whole test on a busy machine; an idle one needs a quarter of it.
  timeout: 300_000,
  expect: { timeout: 45_000 },
  reporter: [["list"], ["json", { outputFile: reportFile }]],
  use: {
    baseURL: process.env["TEST_BASE_URL"] ?? "http://localhost:3000",
    launchOptions: { args: chromiumFlags(), ...(executablePath ? { executablePath } : {}) },
    // Recording every test for the one that fails took half of their time.
    trace: process.env["TEST_TRACE"] ? "retain-on-failure" : "off",
    // Animations would delay the tests.
    contextOptions: { reducedMotion: "reduce" },
    // Without it, a click on a missing element waits for the end of the whole test.
    actionTimeout: 60_000,
  },
});
