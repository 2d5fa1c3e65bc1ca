/** The SQL of access: roles, and one change of a workspace at a time. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import { type Role, roles } from "./schema.ts";

/** A role that the database holds; a text that is none was not written by us. */
export function roleOf(text: string): Role {
  const role = roles.find((name) => name === text);
  if (role === undefined) throw new Error(`Unknown role "${text}"`);
  return role;
}

/** Holds up whoever else asks for the same workspace until the transaction ends; keys that refer to it do not wait. */
export async function lockWorkspace(tx: Connection, workspacePk: number): Promise<void> {
  await query(sql`SELECT FROM workspace WHERE pk = ${workspacePk} FOR NO KEY UPDATE`, tx);
}
