import { type Connection, query, sql } from "#lib/platform/postgres";

/** The short links at other systems that the workspace has already imported. */
export async function findOrigins(
  workspacePk: number,
  named: readonly string[],
  tx?: Connection,
): Promise<Set<string>> {
  if (named.length === 0) return new Set();
  // Answered by link_origin.
  const found = await query.on(tx).query<{ name: string }>(sql`
    SELECT DISTINCT origin ->> 'shortLink' AS name
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND origin ->> 'shortLink' = ANY(${named}::text[])`);
  return new Set(found.map(({ name }) => name));
}

/** The same, but other imports of the workspace wait until the commit. */
export async function lockOrigins(
  tx: Connection,
  workspacePk: number,
  named: readonly string[],
): Promise<Set<string>> {
  if (named.length === 0) return new Set();
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtext('link_origins'), ${workspacePk}::int)`);
  return await findOrigins(workspacePk, named, tx);
}

export function alreadyImported(link: string): string {
  return `origin.shortLink: This workspace already has the link that used to be ${link}.`;
}
