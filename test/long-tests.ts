/**
 * Tests that only longer runs try, and runs that name them, each with what checks the same rules in every run. The pages
 * of these journeys are opened in every run by e2e/pages.spec.ts and e2e/popups.spec.ts.
 */
export const longTests = {
  "e2e/chaos/boxes.chaos.test.ts": ["e2e/pages.spec.ts"],
  "e2e/chaos/cost.chaos.test.ts": ["lib/redirect/visits/visit.db.test.ts"],
  "e2e/chaos/deployment.chaos.test.ts": ["scripts/deploy.test.ts"],
  "e2e/chaos/image.chaos.test.ts": ["scripts/deploy.test.ts"],
  "e2e/chaos/importers.chaos.test.ts": ["lib/transfer/importers/importers.db.test.ts"],
  "e2e/chaos/postgres-loss.chaos.test.ts": [
    "lib/platform/replicas/replicas.db.test.ts",
    "lib/platform/sequences/sequences.db.test.ts",
  ],
  "e2e/chaos/recipients.chaos.test.ts": [
    "e2e/chaos/imports.chaos.test.ts",
    "lib/outreach/sources/sources.db.test.ts",
  ],
  "e2e/chaos/release.chaos.test.ts": ["prisma/expanding.test.ts"],
  "e2e/chaos/report.chaos.test.ts": ["e2e/chaos/faults.chaos.test.ts"],
  "e2e/chaos/rolling.chaos.test.ts": ["lib/platform/http/http.test.ts"],
  "e2e/chaos/scale-out.chaos.test.ts": [
    "e2e/chaos/redis-loss.chaos.test.ts",
    "lib/platform/replicas/replicas.db.test.ts",
  ],
  "e2e/chaos/search.chaos.test.ts": ["lib/links/indexing/indexing.db.test.ts"],
  "e2e/chaos/systemd.chaos.test.ts": [
    "scripts/deploy.test.ts",
    "lib/platform/instance/installation.db.test.ts",
  ],
  "e2e/chaos/starved.chaos.test.ts": ["scripts/supervisor.test.ts"],
  "e2e/chaos/webhooks.chaos.test.ts": ["lib/outreach/webhooks/delivery.db.test.ts"],
  "e2e/chaos/wechat.chaos.test.ts": ["test/wechat-exchange.db.test.ts"],
  "e2e/ab-test.spec.ts": ["lib/links/editing/variants.db.test.ts"],
  "e2e/billing.spec.ts": ["lib/tenancy/billing/billing.db.test.ts"],
  "e2e/campaigns.spec.ts": ["lib/outreach/campaigns/campaigns.db.test.ts"],
  "e2e/conversions.spec.ts": ["lib/analytics/conversions/conversions.db.test.ts"],
  "e2e/destinations.spec.ts": ["lib/destinations/lists/lists.db.test.ts"],
  "e2e/domain-health.spec.ts": ["lib/analytics/domain-health/domain-health.db.test.ts"],
  "e2e/extension.spec.ts": ["app/extension/extension.test.ts"],
  "e2e/inside-apps.spec.ts": ["lib/redirect/visits/inside-apps.db.test.ts"],
  "e2e/lifetime.spec.ts": ["lib/links/lifetime/lifetime.db.test.ts"],
  "e2e/moving.spec.ts": ["lib/transfer/importers/importers.db.test.ts"],
  "e2e/plans.spec.ts": ["test/plans.db.test.ts"],
  "e2e/trust.spec.ts": ["lib/office/bans/bans.db.test.ts", "lib/office/reports/reports.db.test.ts"],
  "e2e/wechat.spec.ts": [
    "lib/redirect/app-browsers/wechat-pages.test.ts",
    "test/wechat-people.db.test.ts",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The files of this folder that the present run leaves out. Naming the beginning of a path runs a file. */
export function leftOut(folder: string): string[] {
  if (process.env["TEST_LONG"]) return [];
  return Object.keys(longTests).filter(
    (file) =>
      file.startsWith(`${folder}/`) &&
      !process.argv.some((arg) => arg.startsWith("e2e/") && file.startsWith(arg)),
  );
}
