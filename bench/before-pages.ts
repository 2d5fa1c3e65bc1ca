/**
 * Pages of an earlier commit and of the present one in turns, on the same data: 20 million clicks of a year and a million
 * links in one workspace. `npm run bench before-pages -- <commit>`. The earlier code fills its database; the present code
 * gets a copy of it and migrates it, as in an upgrade. Each runs as its own `npm start` does.
 *
 * `--clicks=2000000`: as many clicks. `--filled`: the data of a former run, which took more than half an hour to fill.
 */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { chromiumFlags, findChromium } from "../scripts/chromium.ts";
import { withClient } from "../scripts/databases.ts";
import { completeEnvironment } from "../scripts/environment.ts";
import { lockDataFolder } from "../scripts/lock.ts";
import { openSecrets } from "../scripts/secrets.ts";
import { askCard, askPage, intervals, p95Of, pageCards } from "./analytics-cards.ts";
import { owner } from "./calls.ts";
import { openColdInTurns, openPage, rowsReady, signIn } from "./cold-page.ts";
import { measureInteractions } from "./interactions.ts";
import {
  argumentOf,
  commitOfArguments,
  counted,
  databaseOfSide,
  openSides,
  type RunningSide,
  type Side,
  startOwnServices,
  startSide,
} from "./sides.ts";
import { machine, median } from "./stage.ts";
import { firstPk } from "./started.ts";

const commit = commitOfArguments("before-pages");
const clicks = argumentOf("clicks", 20_000_000);
const moreLinks = 900_000;
const weekMs = 7 * 86_400_000;
const pageRounds = 8;
const settleSeconds = 20;
const path = "/app/my-workspace/links";

const lock = await lockDataFolder(".fuxi-bench", "npm run bench");
const isFilled = process.argv.includes("--filled");
const [before, now] = openSides(commit, isFilled);
if (!(before && now)) throw new Error("Both sides are needed");
if (!isFilled) {
  // The first start installs and builds.
  await (await startSide(before)).stop();
  await fill(before);
  copyData(before, now);
}
const sides: RunningSide[] = [];
for (const side of [before, now]) sides.push(await startSide(side));
for (const side of sides) {
  await withClient(databaseOfSide(side), (client) => client.query("VACUUM (ANALYZE)"));
  await counted(side);
}
await sleep(settleSeconds * 1_000);

const analytics = await measureAnalytics();
console.dir(analytics, { depth: 5 });
const cold = await openColdInTurns(
  sides.map(({ url }) => url),
  path,
  owner,
);
const coldMs = Object.fromEntries(sides.map(({ name }, at) => [name, cold[at]]));
console.dir(coldMs);
const paints = await measurePaints();
console.dir(paints);
const result = { machine: machine(), commit, clicks, analytics, list: { coldMs, paints } };
if (process.argv.includes("--keep")) {
  writeFileSync("bench/before-pages.json", `${JSON.stringify(result, null, 2)}\n`);
}
for (const side of sides) await side.stop();
lock.release();
process.exit(0);

/** By the earlier code, in a data folder of its own. */
async function fill({ checkout, dataDir }: Side): Promise<void> {
  rmSync(dataDir, { recursive: true, force: true });
  const services = await startOwnServices(dataDir);
  const env = completeEnvironment(
    {
      ...process.env,
      FUXI_DATA_DIR: dataDir,
      BENCH_CLICKS: String(clicks),
      BENCH_WEEK: String(Math.floor(Date.now() / weekMs) * weekMs),
    },
    { ...services, nodeEnv: "production", webPort: 3_001, secrets: openSecrets(dataDir) },
  );
  for (const file of ["prisma/migrate.ts", "bench/fill-clicks.ts"]) {
    execute(["node", "--import", "tsx", file], checkout, env);
  }
  await withClient(services.databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
      SELECT $1::bigint + n, gen_random_uuid(), one.workspace_pk, one.domain_pk, 'of' || n,
        'https://example.com/of/usual/length?with=a&few=' || n
      FROM generate_series(1, $2::int) AS n, (SELECT workspace_pk, domain_pk FROM link LIMIT 1) AS one`,
      [firstPk, moreLinks],
    );
    await client.query("VACUUM (ANALYZE)");
  });
  await services.stop();
}

function execute(command: string[], cwd: string, env: NodeJS.ProcessEnv): void {
  const [program = "", ...args] = command;
  const { status } = spawnSync(program, args, { cwd, env, stdio: "inherit" });
  if (status !== 0) throw new Error(`${command.join(" ")} failed in ${cwd}`);
}

/** With the owners of files, which a server checks. */
function copyData(from: Side, to: Side): void {
  rmSync(to.dataDir, { recursive: true, force: true });
  execute(["cp", "-a", from.dataDir, to.dataDir], ".", process.env);
  for (const service of ["postgres", "redis", "web"]) {
    rmSync(join(to.dataDir, `${service}.port`), { force: true });
  }
}

/** Each page and each of its cards, in turns. */
async function measureAnalytics() {
  const pages: Record<string, Record<string, number>> = {};
  const all = { before: [] as number[], now: [] as number[] };
  for (const interval of intervals) {
    const times = await inTurns((side) => askPage(side.port, { interval }));
    for (const { name } of sides) all[name].push(...times[name]);
    pages[interval] = mediansOf(times);
  }
  const cards: Record<string, Record<string, number>> = {};
  for (const card of pageCards) {
    const times = await inTurns((side) => askCard(side.port, { ...card, interval: "1y" }));
    cards[`${card["groupBy"]} 1y`] = mediansOf(times);
  }
  const p95Ms = { before: rounded(p95Of(all.before)), now: rounded(p95Of(all.now)) };
  return { pageP95Ms: p95Ms, pageMedianMs: pages, cardMedianMs: cards };
}

async function inTurns(measure: (side: RunningSide) => Promise<number>) {
  const times = { before: [] as number[], now: [] as number[] };
  for (let round = -1; round < pageRounds; round++) {
    for (const side of sides) {
      const ms = await measure(side);
      // The first round of each is a warm-up.
      if (round >= 0) times[side.name].push(ms);
    }
  }
  return times;
}

function mediansOf(times: Record<string, number[]>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(times).map(([name, some]) => [name, rounded(median(some))]),
  );
}

function rounded(ms: number): number {
  return Number(ms.toFixed(1));
}

/** From an input to the next paint: the longest of each, of both. */
async function measurePaints() {
  const browser = await chromium.launch({
    executablePath: await findChromium(console.log),
    args: chromiumFlags(),
  });
  const longest: Record<string, Record<string, number>> = {};
  for (const side of sides) {
    const page = await openPage(browser, side.url, await signIn(browser, side.url, path, owner));
    await page.goto(path);
    await rowsReady(page);
    for (const [name, times] of await measureInteractions(page)) {
      longest[name] = { ...longest[name], [side.name]: rounded(median(times)) };
    }
    await page.context().close();
  }
  await browser.close();
  return longest;
}
