/**
 * Recipients of a campaign, ten thousand a call: phones checked and encrypted, links created, messages finished. Compared
 * with plain bulk creates of as many links in turn. `BENCH_ROWS=10000` is a quick run.
 */
import { writeFileSync } from "node:fs";
import { createLinksInBulk, openLinks } from "#lib/links/creating";
import { addRecipients, createCampaign } from "#lib/outreach/campaigns";
import { recipientsMax } from "#lib/outreach/campaigns/schema";
import { closePostgres } from "#lib/platform/postgres";
import { closeRedis } from "#lib/platform/redis";
import { closeAll } from "#lib/platform/shutdown";
import { campaignBody, recipientRows } from "../test/campaigns.ts";
import { makeTestScope } from "../test/scope.ts";
import { machine, median, openStage } from "./stage.ts";

const options = { source: "api", prefill: false } as const;
const rows = Number(process.env["BENCH_ROWS"] ?? 200_000);

const stage = await openStage();
await openLinks();
const scope = await makeTestScope("bench");
const { id } = await createCampaign(scope, campaignBody());
const rates = { bulk: [] as number[], campaign: [] as number[] };
// The first call of each is a warm-up.
for (let first = -recipientsMax; first < rows; first += recipientsMax) {
  const bulk = await rateOf(() => createLinksInBulk(scope, linksFrom(first), options));
  const campaign = await rateOf(() => addRecipients(scope, id, rowsFrom(first)));
  if (first < 0) continue;
  rates.bulk.push(bulk);
  rates.campaign.push(campaign);
}
const bulkRowsPerSecond = Math.round(median(rates.bulk));
const recipientsPerSecond = Math.round(median(rates.campaign));
const result = {
  machine: machine(),
  rows,
  bulkRowsPerSecond,
  recipientsPerSecond,
  ratio: Number((recipientsPerSecond / bulkRowsPerSecond).toFixed(2)),
};
console.log(result);
if (process.argv.includes("--keep")) {
  writeFileSync("bench/campaigns.json", `${JSON.stringify(result, null, 2)}\n`);
}
await closeAll();
await closeRedis();
await closePostgres();
await stage.close();
process.exit(0);

async function rateOf(work: () => Promise<readonly unknown[]>): Promise<number> {
  const started = performance.now();
  const { length } = await work();
  return (1_000 * length) / (performance.now() - started);
}

function linksFrom(first: number) {
  return Array.from({ length: recipientsMax }, (_, at) => {
    return { url: `https://example.com/autumn?r=${first + at}`, externalId: `bulk-${first + at}` };
  });
}

function rowsFrom(first: number) {
  return recipientRows(recipientsMax, first + recipientsMax);
}
