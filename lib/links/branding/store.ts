/** The SQL of branding: changes read and write the row in a transaction. */
import { type Connection, query, sql } from "#lib/platform/postgres";

export interface LookRow {
  color: string | null;
  logo: Buffer | null;
}

export async function findRow(workspacePk: number, tx?: Connection): Promise<LookRow | undefined> {
  // Answered by page_look_pkey.
  const [row] = await query<LookRow>(
    sql`SELECT color, logo FROM page_look WHERE workspace_pk = ${workspacePk}`,
    tx,
  );
  return row;
}

export async function putRow(
  tx: Connection,
  workspacePk: number,
  revision: number,
  { color, logo }: LookRow,
): Promise<void> {
  await query(
    sql`
      INSERT INTO page_look (workspace_pk, revision, color, logo)
      VALUES (${workspacePk}, ${revision}, ${color}, ${logo})
      ON CONFLICT (workspace_pk) DO UPDATE
      SET revision = excluded.revision,
        color = excluded.color,
        logo = excluded.logo`,
    tx,
  );
}
