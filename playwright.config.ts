/** End-to-end tests in a real browser, against the instance that `npm test` has started. */
import { defineConfig } from "@playwright/test";
import { chromiumFlags } from "./scripts/chromium.ts";

const executablePath = process.env["TEST_CHROMIUM"] ?? "";
const reportFile = process.env["TEST_REPORT"] ?? ".fuxi-test/playwright.json";

/**
 * Journeys that only longer runs take, and runs that name them, with what checks their rules in every run.
 * e2e/popups.spec.ts and e2e/pages.spec.ts open their pages in every run.
 */
const longJourneys = {
  "ab-test": "lib/links/editing/variants.db.test.ts",
  billing: "lib/tenancy/billing/billing.db.test.ts",
  campaigns: "lib/outreach/campaigns/campaigns.db.test.ts",
  conversions: "lib/analytics/conversions/conversions.db.test.ts",
  destinations: "lib/links/destination-lists/lists.db.test.ts",
  "domain-health": "lib/analytics/domain-health/domain-health.db.test.ts",
  extension: "app/extension/extension.test.ts",
  "inside-apps": "lib/redirect/visits/inside-apps.db.test.ts",
  lifetime: "lib/links/lifetime/lifetime.db.test.ts",
  moving: "lib/transfer/importers/importers.db.test.ts",
  plans: "test/plans.db.test.ts",
  trust: "lib/links/bans/bans.db.test.ts, lib/links/reports/reports.db.test.ts",
  wechat: "test/wechat-people.db.test.ts, lib/platform/wechat-pages/wechat-pages.test.ts",
};

function longJourneyFiles(): string[] {
  if (process.env["TEST_LONG"]) return [];
  const others = Object.keys(longJourneys).filter(
    (name) => !process.argv.some((arg) => arg.includes(`e2e/${name}`)),
  );
  return others.map((name) => `${name}.spec.ts`);
}

export default defineConfig({
  testDir: "e2e",
  testMatch: /\.(e2e|spec|test)\.ts$/,
  testIgnore: ["chaos/**", ...longJourneyFiles()],
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
