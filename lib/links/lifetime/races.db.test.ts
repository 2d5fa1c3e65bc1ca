/**
 * Real processes race for the codes of deleted links: each creates, retires and deletes, and one of them is killed.
 * Triggers write down every code that begins and ends, in the order in which PostgreSQL applied it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { beforeAll, expect, test } from "vitest";
import { eraseDue } from "#lib/analytics/rollups";
import { sweepRecycledCodes } from "#lib/links/keys";
import { quarantineDays } from "#lib/links/link-rows/schema";
import { query, sql } from "#lib/platform/postgres";
import { openTestStores } from "../../../test/stores.ts";

// Two dozen processes share the connections of one server.
openTestStores({ FUXI_REUSE_CODES: "on", DATABASE_POOL_MAX: "3" });

const isLong = Boolean(process.env["TEST_LONG"]);
const racers = isLong ? 24 : 3;
const rounds = isLong ? 40 : 6;
const linksEach = 12;
const racesMaxMs = isLong ? 900_000 : 60_000;
const dayMs = 86_400_000;

/** Citus has no triggers on distributed tables, by which this test sees when codes begin and end. */
const isCitus = Boolean(process.env["TEST_CITUS_URL"]);

beforeAll(async () => {
  if (isCitus) return;
  await query(sql`
    CREATE TABLE life (
      seq bigserial PRIMARY KEY,
      pk bigint NOT NULL,
      what text NOT NULL,
      url text,
      at timestamptz
    )`);
  await query(sql`
    CREATE FUNCTION record_life() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_TABLE_NAME = 'recycled_code' THEN
        INSERT INTO life (pk, what, at) VALUES (NEW.pk, 'ready', NEW.ready_at);
      ELSIF TG_OP = 'INSERT' THEN
        INSERT INTO life (pk, what, url) VALUES (NEW.pk, 'begun', NEW.url);
      ELSE
        INSERT INTO life (pk, what, at) VALUES (OLD.pk, 'ended', OLD.retired_at);
      END IF;
      RETURN NULL;
    END $$`);
  for (const [name, events, table] of [
    ["life_of_link", "INSERT OR DELETE", "link"],
    ["life_of_code", "INSERT", "recycled_code"],
  ]) {
    await query({
      text: `CREATE TRIGGER ${name} AFTER ${events} ON ${table}
        FOR EACH ROW EXECUTE FUNCTION record_life()`,
      values: [],
    });
  }
});

/** A process with a workspace of its own. It writes a line for each created link, after its create has returned. */
function startRacer(number: number) {
  const script = `
    import { createLinks, openLinks } from "#lib/links/creating";
    import { runRounds } from "#lib/links/lifetime";
    import { openCoherence } from "#lib/platform/cache-sync";
    import { redis, redisReady } from "#lib/platform/redis";
    import { makeTestScope } from "./test/scope.ts";
    openCoherence();
    await redisReady(redis(), 60_000);
    await openLinks();
    const scope = await makeTestScope("racer${number}");
    const start = Date.now();
    const retiresAt = new Date(start - 60_000).toISOString();
    let made = 0;
    for (let round = 0; round < ${rounds}; round++) {
      const links = Array.from({ length: ${linksEach} }, () => {
        made += 1;
        return { url: "https://example.com/${number}/" + made, retiresAt };
      });
      // Two requests at once.
      const half = links.splice(0, ${linksEach / 2});
      const outcomes = (await Promise.all([createLinks(scope, half), createLinks(scope, links)])).flat();
      for (const { ok, link } of outcomes) {
        if (!ok) throw new Error("not created");
        console.log(JSON.stringify({ key: link.key, url: link.url }));
      }
      const at = start + round * 400 * ${dayMs};
      for (const days of [1, ${quarantineDays} - 1, ${quarantineDays} + 2]) {
        await runRounds(new Date(at + days * ${dayMs}), { pauseShare: 0, batch: 7 });
      }
    }
    process.exit(0);`;
  const flags = ["--import", "tsx", "--input-type=module", "--eval", script];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const created: { key: string; url: string }[] = [];
  lines.on("line", (line) => created.push(JSON.parse(line)));
  return { child, created, ended: once(child, "exit") };
}

/** Erases the stats of deleted links, as one worker does, until the races end. */
async function eraseUntil(isOver: () => boolean): Promise<void> {
  while (!isOver()) await erase();
}

async function erase(): Promise<void> {
  await query(sql`UPDATE analytics.erasure SET due_at = now() - interval '1 minute'`);
  await eraseDue();
}

interface LifeEvent {
  pk: number;
  what: "begun" | "ended" | "ready";
  at: Date | null;
}

/** Checks the order of all lives. Returns how many codes were issued again, and those that no link has now. */
function readLives(events: readonly LifeEvent[]) {
  const alive = new Set<number>();
  const retired = new Map<number, number>();
  const free = new Set<number>();
  let again = 0;
  for (const { pk, what, at } of events) {
    if (what === "begun") {
      expect(alive.has(pk), `the code ${pk} is alive once`).toBe(false);
      alive.add(pk);
      if (retired.has(pk)) {
        expect(free.delete(pk), `the code ${pk} was free`).toBe(true);
        again += 1;
      }
    } else if (what === "ended") {
      alive.delete(pk);
      retired.set(pk, at?.getTime() ?? Number.POSITIVE_INFINITY);
    } else {
      const quarantineMs = (at?.getTime() ?? 0) - (retired.get(pk) ?? Number.POSITIVE_INFINITY);
      expect(quarantineMs).toBeGreaterThanOrEqual(quarantineDays * dayMs);
      free.add(pk);
    }
  }
  return { again, free };
}

test.skipIf(isCitus)(
  `${racers} processes issue each code to one link at a time, after its quarantine, and lose none when one is killed`,
  async () => {
    const running = Array.from({ length: racers }, (_, number) => startRacer(number));
    let isOver = false;
    const erasing = eraseUntil(() => isOver);
    const [victim, ...others] = running;
    if (!victim) throw new Error("no process");
    await expect
      .poll(() => victim.created.length, { timeout: racesMaxMs })
      .toBeGreaterThanOrEqual(linksEach * 2);
    victim.child.kill("SIGKILL");
    await victim.ended;
    const ends = await Promise.all(others.map(({ ended }) => ended));
    isOver = true;
    await erasing;
    expect(ends).toEqual(others.map(() => [0, null]));

    const events = await query<LifeEvent>(sql`SELECT pk, what, at FROM life ORDER BY seq`);
    const { again, free } = readLives(events);
    expect(again).toBeGreaterThan((racers * rounds * linksEach) / 8);

    const begun = await query<{ url: string; lives: number }>(sql`
    SELECT url, count(*) AS lives FROM life WHERE what = 'begun' AND url <> '' GROUP BY url`);
    const lives = new Map(begun.map((row) => [row.url, row.lives]));
    const created = running.flatMap((one) => one.created);
    expect(others.every((one) => one.created.length === rounds * linksEach)).toBe(true);
    for (const { url } of created) expect(lives.get(url), url).toBe(1);

    // What the killed process had drawn comes back after a day.
    for (let run = 0; run < 2; run++) await erase();
    const later = new Date(Date.now() + 2 * dayMs);
    for (let run = 0; run < 2; run++) await sweepRecycledCodes(later);
    const pool = await query<{ pk: number }>(
      sql`SELECT pk FROM recycled_code WHERE drawn_at IS NULL`,
    );
    expect(new Set(pool.map(({ pk }) => pk))).toEqual(free);
  },
  racesMaxMs * 2,
);
