import { expect, test } from "vitest";
import { query, sql, transaction } from "#lib/platform/postgres";
import { openTestStores } from "../../../test/stores.ts";
import { bisect, bisectIn } from "./index.ts";

openTestStores();

test("rows that the database refuses do not affect others, and each row gets its own outcome", async () => {
  const rows = Array.from({ length: 100 }, (_, number) => number);
  const bad = new Set([0, 41, 42, 99]);
  const outcomes = await bisect(rows, async (part) => {
    await query(
      sql`
        INSERT INTO cache_change (revision, entry)
        SELECT number, CASE WHEN number = ANY(${[...bad]}::int[]) THEN NULL ELSE 'x' END
        FROM unnest(${[...part]}::int[]) AS number`,
    );
    return [...part];
  });
  expect(outcomes.map((outcome) => outcome.ok)).toEqual(rows.map((row) => !bad.has(row)));
  expect(await query(sql`SELECT 1 FROM cache_change`)).toHaveLength(96);
});

test("an outage is not bisected", async () => {
  const killed = await query(sql`SELECT pg_terminate_backend(pg_backend_pid())`).catch(
    (error: unknown) => error,
  );
  await expect(bisect([1, 2], () => Promise.reject(killed))).rejects.toBe(killed);
});

test("rows that the database refuses inside a transaction affect neither it nor any other row", async () => {
  await query(sql`CREATE TABLE apart (number INT CHECK (number <> 3 AND number <> 7))`);
  const rows = Array.from({ length: 10 }, (_, number) => number);
  const outcomes = await transaction(async (tx) => {
    const written = await bisectIn(tx, rows, async (part) => {
      await query(sql`INSERT INTO apart (number) SELECT unnest(${[...part]}::int[])`, tx);
      return [...part];
    });
    await query(sql`INSERT INTO apart (number) VALUES (10)`, tx);
    return written;
  });
  expect(rows.filter((row) => !outcomes[row]?.ok)).toEqual([3, 7]);
  expect(await query(sql`SELECT 1 FROM apart`)).toHaveLength(9);
  await query(sql`DROP TABLE apart`);
});

test("an error thrown by the transaction's own code is no refusal of a row", async () => {
  const broken = new Error("broken");
  const written = transaction((tx) => bisectIn(tx, [1, 2], () => Promise.reject(broken)));
  await expect(written).rejects.toBe(broken);
});
