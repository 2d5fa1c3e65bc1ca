/** The SQL of access: roles, and the lock of a workspace. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import { type Role, roles } from "./schema.ts";

/** A role from the database; any other text is a bug. */
export function roleOf(text: string): Role {
  const role = roles.find((name) => name === text);
  if (role === undefined) throw new Error(`Unknown role "${text}"`);
  return role;
}

/** Serializes changes of a workspace until the transaction ends; foreign keys to it do not wait. */
export async function lockWorkspace(tx: Connection, workspacePk: number): Promise<void> {
  await query(sql`SELECT FROM workspace WHERE pk = ${workspacePk} FOR NO KEY UPDATE`, tx);
}
