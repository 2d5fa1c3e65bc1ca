/** Before the chaos tests: a template with an owner, which every stage copies. Seeding takes a second, a copy does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestDatabase, setup as startServices } from "../../test/database.ts";
import { seedDatabase, seededVariable } from "./stage.ts";

export { teardown } from "../../test/database.ts";

export async function setup(): Promise<void> {
  await startServices();
  // A database of Citus has no copies.
  if (process.env["TEST_CITUS_URL"]) return;
  const dataDir = mkdtempSync(join(tmpdir(), "fuxi-chaos-seed-"));
  const database = await openTestDatabase();
  await seedDatabase(dataDir, database);
  process.env[seededVariable] = database.databaseUrl;
  rmSync(dataDir, { recursive: true, force: true });
}
