/**
 * Redirects at a fixed rate, alternately alone and while links retire as a worker does it.
 * `--links=100000`: as many are due, instead of a million. `--pairs=30`: as many pairs, unless no link is left before.
 */
import { writeFileSync } from "node:fs";
import { runRounds } from "#lib/links/lifetime";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { measureBeside } from "./beside.ts";
import { machine, openStage } from "./stage.ts";
import { putLinks } from "./visits.ts";

const retiringStart = 2_000_000_000;
const putAtOnce = 50_000;
/** Retired by one round: another follows at once. */
const linksPerRound = 100;
const ratioMax = 1.3;

const links = numberOf("links", 1_000_000);
const pairs = numberOf("pairs", 12);
/** The first link retires then, and the others a second after each other. */
const startedAt = Date.now();
const stage = await openStage();
openCoherence();
/** Without those whose code is blocked. */
const dated = await putRetiring();
// The first round of a workspace compares every date with its rules.
await runRounds(new Date(startedAt), { pauseShare: 0 });
let roundsRun = 0;
let retired = 0;

try {
  const measured = await measureBeside(stage, { pairs, workWhile: retireWhile });
  const isHeld = measured.p99Ratio <= ratioMax && measured.errors === 0;
  const result = { machine: machine(), links: dated, retired, ...measured, isHeld };
  console.dir(result, { depth: 4, maxArrayLength: 200 });
  if (process.argv.includes("--keep")) {
    writeFileSync("bench/lifetime.json", `${JSON.stringify(result, undefined, 2)}\n`);
  }
} finally {
  await closeAll();
  await stage.close();
}
process.exit(0);

function numberOf(name: string, otherwise: number): number {
  const given = process.argv.find((one) => one.startsWith(`--${name}=`))?.split("=")[1];
  return Number(given ?? otherwise);
}

/** Links that nobody visits, with a date of their own that no round has reached. */
async function putRetiring(): Promise<number> {
  let put = 0;
  for (let at = 0; at < links; at += putAtOnce) {
    put += (await putLinks(Math.min(putAtOnce, links - at), retiringStart + at)).length;
  }
  await query(sql`
    UPDATE link
    SET retires_own = true,
      retires_at = ${new Date(startedAt)}::timestamptz + (link.pk - ${retiringStart}) * interval '1 second'
    WHERE link.pk >= ${retiringStart}`);
  await query(sql`VACUUM (ANALYZE) link`);
  return put;
}

/** Retires links in one round after the other, until the visits end. */
async function retireWhile(isVisited: () => boolean): Promise<number | undefined> {
  const before = retired;
  while (isVisited() && retired < dated) {
    roundsRun += 1;
    const until = new Date(startedAt + roundsRun * linksPerRound * 1_000);
    await query(sql`UPDATE retirement_round SET next_at = '-infinity'`);
    retired += (await runRounds(until)).retired;
  }
  return retired < dated ? retired - before : undefined;
}
