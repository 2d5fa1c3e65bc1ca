/** A process needs every migration of its version. Newer ones only add, so that versions can run side by side. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { query, sql } from "#lib/platform/postgres";

/** Ends the process with an ordinary exit code: somebody may be about to apply them. */
class MissingMigrations extends Error {
  constructor(names: readonly string[]) {
    super(
      `The database lacks migrations of this version: ${names.join(", ")}. Apply them with npm run db:migrate, ` +
        "or under systemd with systemctl start fuxi-migrate.",
    );
    this.name = "MissingMigrations";
  }
}

export function isMissingMigrations(error: unknown): error is MissingMigrations {
  return error instanceof MissingMigrations;
}

export async function assertMigrations(): Promise<void> {
  const applied = new Set(await listApplied());
  const missing = listNeeded().filter((name) => !applied.has(name));
  // defence: needed-migrations
  if (missing.length > 0) throw new MissingMigrations(missing);
}

function listNeeded(): string[] {
  const folder = join(process.cwd(), "prisma", "migrations");
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, "migration.sql")));
}

async function listApplied(): Promise<string[]> {
  const [table] = await query<{ name: string | null }>(
    sql`SELECT to_regclass('_prisma_migrations')::text AS name`,
  );
  if (!table?.name) return [];
  const rows = await query<{ name: string }>(sql`
    SELECT migration_name AS name
    FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`);
  return rows.map(({ name }) => name);
}
