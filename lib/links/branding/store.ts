import { type Connection, query, sql } from "#lib/platform/postgres";

export interface BrandingRow {
  color: string | null;
  logo: Buffer | null;
}

export function findBrandingRow(workspacePk: number, tx?: Connection) {
  // Answered by page_look_pkey.
  return query
    .on(tx)
    .one<BrandingRow>(sql`SELECT color, logo FROM page_look WHERE workspace_pk = ${workspacePk}`);
}

export async function putBrandingRow(
  tx: Connection,
  workspacePk: number,
  revision: number,
  { color, logo }: BrandingRow,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO page_look (workspace_pk, revision, color, logo)
    VALUES (${workspacePk}, ${revision}, ${color}, ${logo})
    ON CONFLICT (workspace_pk) DO UPDATE
    SET revision = excluded.revision,
      color = excluded.color,
      logo = excluded.logo`);
}
