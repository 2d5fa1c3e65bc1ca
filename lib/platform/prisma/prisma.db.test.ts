import { expect, test } from "vitest";
import { isBadValue, isRejectedInput, isUnavailable } from "#lib/platform/errors";
import { readStatus } from "#lib/platform/log";
import { closePostgres, pool, query, sql, transaction } from "#lib/platform/postgres";
import { openTestStores } from "../../../test/stores.ts";
import { prisma } from "./index.ts";

openTestStores();

const findUsers = () => prisma().user.findMany();
const errorOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

test("asks through the pool of this process, and through the next one after a close", async () => {
  await query(sql`SELECT 1`);
  expect(pool().totalCount).toBe(1);
  await findUsers();
  expect(pool().totalCount, "no second connection").toBe(1);
  await closePostgres();
  expect(await findUsers()).toEqual([]);
  expect(pool().totalCount).toBe(1);
});

test("an unreachable database is distinguished from a refused statement", async () => {
  const user = { id: "user_prisma", email: "prisma@example.com", name: "Prisma" };
  await prisma().user.create({ data: user });
  const taken = await errorOf(prisma().user.create({ data: { ...user, id: "user_other" } }));
  expect([isRejectedInput(taken), isUnavailable(taken)], String(taken)).toEqual([true, false]);
  const bad = await errorOf(prisma().user.findUnique({ where: { email: "a\0b" } }));
  expect([isBadValue(bad), isUnavailable(bad)], String(bad)).toEqual([true, false]);
  expect(isUnavailable(await stopWaiting("pg_cancel_backend")), "cancelled").toBe(true);
  expect(isUnavailable(await stopWaiting("pg_terminate_backend")), "lost").toBe(true);
});

test("statements count with those of SQL, failed ones as failed", async () => {
  const { database: before } = await readStatus();
  await findUsers();
  await prisma().user.updateMany({ data: { name: "Renamed" } });
  await errorOf(prisma().user.findUnique({ where: { email: "a\0b" } }));
  const { database: after } = await readStatus();
  expect(after.select - before.select).toBe(2);
  expect(after.update - before.update).toBe(1);
  expect(after.error - before.error).toBe(1);
});

/** The error of a query whose statement is stopped while it waits for a lock. */
function stopWaiting(how: "pg_cancel_backend" | "pg_terminate_backend"): Promise<unknown> {
  return transaction(async (tx) => {
    await query(sql`LOCK TABLE app_user IN ACCESS EXCLUSIVE MODE`, tx);
    const stopped = errorOf(findUsers());
    const stop = `
      SELECT ${how}(pid)
      FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await expect.poll(() => query({ text: stop, values: [] })).toHaveLength(1);
    return await stopped;
  });
}
