/**
 * Recipients of a campaign, ten thousand a call: phones checked and encrypted, links created, messages finished. Compared
 * with plain bulk creates of as many links in turn, and with files of as many recipients: from the upload to the
 * last row of the export. `BENCH_ROWS=10000` is a quick run.
 *
 * CPU time is that of this process and of PostgreSQL, which other work on the machine distorts less than rates.
 */
import { writeFileSync } from "node:fs";
import { createLinksInBulk, openLinks } from "#lib/links/creating";
import { addRecipients, createCampaign, exportMessages } from "#lib/outreach/campaigns";
import { exportMessagesQuery, recipientsMax } from "#lib/outreach/campaigns/schema";
import {
  getRecipientSource,
  runSource,
  startSource,
  uploadRecipients,
} from "#lib/outreach/sources";
import { closePostgres } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { closeRedis } from "#lib/platform/redis";
import { campaignBody, recipientRows } from "../test/campaigns.ts";
import { makeTestScope } from "../test/scope.ts";
import { fileOfRecipients } from "../test/sources.ts";
import { cpuOf, postmasterOf } from "./cpu.ts";
import { machine, median, openStage } from "./stage.ts";

const options = { source: "api", prefill: false } as const;
const rows = Number(process.env["BENCH_ROWS"] ?? 200_000);

/** As in ordinary files; the first rows are prepared while nothing is written. */
const fileRows = 50_000;

const stage = await openStage();
const postmaster = postmasterOf(stage.dataDir);
await openLinks();
const scope = await makeTestScope("bench");
const { id } = await createCampaign(scope, campaignBody());
const kinds = ["bulk", "campaign", "file"] as const;
const rates: Record<(typeof kinds)[number], Measured[]> = { bulk: [], campaign: [], file: [] };
// The first call of each is a warm-up.
for (let first = -recipientsMax; first < rows; first += recipientsMax) {
  const bulk = await measure(() => createLinksInBulk(scope, linksFrom(first), options));
  const campaign = await measure(() => addRecipients(scope, id, rowsFrom(first)));
  const file = await measureFile(first + recipientsMax);
  if (first < 0) continue;
  rates.bulk.push(bulk);
  rates.campaign.push(campaign);
  rates.file.push(file);
}
const [bulkRowsPerSecond, recipientsPerSecond, fileRowsPerSecond] = kinds.map((kind) =>
  Math.round(median(rates[kind].map(({ rate }) => rate))),
) as [number, number, number];
const [bulkCpu, campaignCpu, fileCpu] = kinds.map((kind) =>
  Number(median(rates[kind].map(({ cpuMicroseconds }) => cpuMicroseconds)).toFixed(1)),
);
const result = {
  machine: machine(),
  rows,
  bulkRowsPerSecond,
  recipientsPerSecond,
  ratio: Number((recipientsPerSecond / bulkRowsPerSecond).toFixed(2)),
  fileRowsPerSecond,
  fileRatio: Number((fileRowsPerSecond / bulkRowsPerSecond).toFixed(2)),
  cpuMicrosecondsPerRow: { bulk: bulkCpu, campaign: campaignCpu, file: fileCpu },
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

interface Measured {
  rate: number;
  cpuMicroseconds: number;
}

async function measure(work: () => Promise<{ length: number }>): Promise<Measured> {
  const [started, cpu] = [performance.now(), cpuMs()];
  const { length } = await work();
  const rate = (1_000 * length) / (performance.now() - started);
  return { rate, cpuMicroseconds: ((cpuMs() - cpu) * 1_000) / length };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + cpuOf(postmaster);
}

/** A campaign of its own, so that its export has only the rows of the file. */
async function measureFile(first: number): Promise<Measured> {
  const campaign = await createCampaign(scope, campaignBody());
  const body = new Blob([fileOfRecipients(fileRows, first)]).stream();
  const name = "bench.csv";
  return await measure(async () => {
    const source = await uploadRecipients(scope, campaign.id, body, { name });
    await startSource(scope, source.id);
    await runSource(source.id);
    const { added } = await getRecipientSource(scope, source.id);
    const file = await exportMessages(scope, campaign.id, exportMessagesQuery.parse({}));
    await file.send(() => Promise.resolve());
    return { length: added };
  });
}

function linksFrom(first: number) {
  return Array.from({ length: recipientsMax }, (_, at) => {
    return { url: `https://example.com/autumn?r=${first + at}`, externalId: `bulk-${first + at}` };
  });
}

function rowsFrom(first: number) {
  return recipientRows(recipientsMax, first + recipientsMax);
}
