import { expect, test } from "vitest";
import { isRejectedInput, isUnavailable } from "#lib/platform/errors";
import { openTestStores } from "../../../test/stores.ts";
import { copyField, copyRows } from "./copy.ts";
import { query, sql, transaction } from "./index.ts";

openTestStores();

test("values become parameters and never text", async () => {
  const hostile = "'; DROP TABLE link; --";
  const rows = await query<{ given: string }>(sql`SELECT ${hostile}::text AS given`);
  expect(rows).toEqual([{ given: hostile }]);
});

test("a transaction that throws changes nothing", async () => {
  await expect(
    transaction(async (tx) => {
      await query(sql`INSERT INTO cache_change (revision, entry) VALUES (1, 'x')`, tx);
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(await query(sql`SELECT 1 FROM cache_change`)).toHaveLength(0);
});

test("a connection that is lost between two statements fails its transaction and nothing else", async () => {
  const failed = transaction(async (tx) => {
    const [row] = await query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`, tx);
    await query(sql`SELECT pg_terminate_backend(${row?.pid}::int)`);
    const alive = () => query(sql`SELECT FROM pg_stat_activity WHERE pid = ${row?.pid}::int`);
    await expect.poll(alive).toHaveLength(0);
    await query(sql`SELECT 1`, tx);
  });
  await expect(failed).rejects.toThrow();
  expect(await query(sql`SELECT 1`)).toHaveLength(1);
});

test("text of any kind passes COPY unchanged", async () => {
  await query(sql`CREATE TABLE copied (at INT, text TEXT)`);
  const texts = [
    "a",
    "",
    "\\",
    "\\N",
    "\\.",
    "tab\there",
    "line\nfeed\r\n",
    "a\\tb",
    "\u0001\u001f",
    "中🙂",
    null,
  ];
  await transaction((tx) =>
    copyRows(
      tx,
      "copied",
      texts.map((text, at) => `${at}\t${copyField(text)}\n`),
    ),
  );
  const rows = await query<{ text: string | null }>(sql`SELECT text FROM copied ORDER BY at`);
  expect(rows.map(({ text }) => text)).toEqual(texts);
  await query(sql`DROP TABLE copied`);
});

test("a row that COPY refuses fails its transaction", async () => {
  await query(sql`CREATE TABLE copied (at INT)`);
  const refused = await transaction((tx) =>
    copyRows(tx, "copied", [
      "1\n",
      "none\n",
      ...Array.from({ length: 500 }, () => "2\n".repeat(5_000)),
    ]),
  ).catch((error: unknown) => error);
  expect(isRejectedInput(refused)).toBe(true);
  expect(await query(sql`SELECT 1 FROM copied`)).toHaveLength(0);
  await query(sql`DROP TABLE copied`);
});

test("an unreachable database is distinguished from a refused statement", async () => {
  const refused = await query(sql`SELECT 1 / 0`).catch((error: unknown) => error);
  expect(isUnavailable(refused)).toBe(false);
  const killed = await query(sql`SELECT pg_terminate_backend(pg_backend_pid())`).catch(
    (error: unknown) => error,
  );
  expect(isUnavailable(killed)).toBe(true);
});
