import { beforeAll, expect, test } from "vitest";
import { assertCodeKey } from "#lib/platform/instance";
import { query, sql, transaction } from "#lib/platform/postgres";
import { openTestStores } from "../../../test/stores.ts";
import { blocksAhead, nextPkBlock, nextRevision, openSequences, revisionsAhead } from "./index.ts";

openTestStores();

beforeAll(() => assertCodeKey());

const revision = () => transaction(nextRevision);
const timelineOf = async () =>
  (await query<{ timeline: string }>(sql`SELECT timeline FROM installation`))[0]?.timeline ?? "";

/** As on a server that was promoted, or restored to an earlier time, since the timeline was noted. */
async function moveTimeline() {
  const [system] = (await timelineOf()).split("/");
  await query(sql`UPDATE installation SET timeline = ${`${system}/00000000`}`);
}

test("a new instance notes its timeline, and its numbers go on", async () => {
  const before = await revision();
  await openSequences();
  await openSequences();
  expect(await timelineOf()).toMatch(/^\d+\/[0-9A-F]{8}$/);
  expect(await revision()).toBe(before + 1);
});

test("after a promotion, the first numbers of all takers are ahead of those that may be lost", async () => {
  await openSequences();
  const [lastRevision, lastBlock] = [await revision(), await nextPkBlock()];
  await moveTimeline();
  const [revisions, blocks] = await Promise.all([
    Promise.all(Array.from({ length: 8 }, revision)),
    Promise.all(Array.from({ length: 8 }, nextPkBlock)),
  ]);
  expect(Math.min(...revisions)).toBeGreaterThan(lastRevision + revisionsAhead);
  expect(Math.min(...blocks)).toBeGreaterThan(lastBlock + blocksAhead);
  expect(new Set(revisions).size + new Set(blocks).size).toBe(16);
  // Each sequence jumped once, not once per taker.
  expect(Math.max(...revisions)).toBeLessThan(lastRevision + 2 * revisionsAhead);
  expect(Math.max(...blocks)).toBeLessThan(lastBlock + 2 * blocksAhead);
});

test("a transaction that jumps and is undone leaves no number to be taken twice", async () => {
  await openSequences();
  const last = await revision();
  await moveTimeline();
  const undone = transaction(async (tx) => {
    await nextRevision(tx);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await revision()).toBeGreaterThan(last + revisionsAhead);
});

test("a dump that was loaded into another server jumps at the next start", async () => {
  await openSequences();
  const last = await revision();
  const [, timeline] = (await timelineOf()).split("/");
  await query(sql`UPDATE installation SET timeline = ${`1/${timeline}`}`);
  await openSequences();
  expect(await revision()).toBeGreaterThan(last + revisionsAhead);
});

test("an account without rights of its own can read the timeline", async () => {
  await query(sql`CREATE ROLE plain_reader`);
  await transaction(async (tx) => {
    await query(sql`SET LOCAL ROLE plain_reader`, tx);
    const [row] = await query<{ timeline: string }>(
      sql`
        SELECT system_identifier || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline
        FROM pg_control_system()`,
      tx,
    );
    expect(row?.timeline).toBeTruthy();
  });
  await query(sql`DROP ROLE plain_reader`);
});
