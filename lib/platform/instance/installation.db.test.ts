import { expect, test } from "vitest";
import { renderMetrics } from "#lib/platform/log";
import { query, sql } from "#lib/platform/postgres";
import { openTestStores } from "../../../test/stores.ts";
import { assertCodeKey, exposeBackupAge } from "./index.ts";
import { assertMigrations } from "./migrations.ts";

openTestStores();

test("the first start claims the database for its code key; another key is refused", async () => {
  await Promise.all([assertCodeKey(), assertCodeKey()]);
  await assertCodeKey();
  await query(sql`UPDATE installation SET code_fingerprint = 'another key''s'`);
  await expect(assertCodeKey()).rejects.toThrow(/FUXI_CODE_KEY .* Restore the key/s);
});

test("a database that lacks a migration is refused by its name; a newer migration is fine", async () => {
  await assertMigrations();
  await query(sql`
    INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
    VALUES (gen_random_uuid(), '', '20990101000000_newer', now(), 1)`);
  await assertMigrations();
  await query(sql`
    UPDATE _prisma_migrations
    SET finished_at = NULL
    WHERE migration_name = '20261130130400_backup_time'`);
  await expect(assertMigrations()).rejects.toThrow(
    /20261130130400_backup_time\. Apply them .* systemctl start fuxi-migrate/,
  );
});

test("the age of the last backup is a metric, once there is a backup", async () => {
  exposeBackupAge();
  expect(await renderMetrics()).not.toContain("fuxi_backup{");
  await query(sql`UPDATE installation SET backed_up_at = now() - interval '2 hours'`);
  expect(await renderMetrics()).toMatch(/fuxi_backup\{what="seconds"\} 720\d(\.\d+)?\n/);
});
