/** The SQL of moving a domain with its links to another workspace. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { DomainRow } from "./store.ts";

export interface Move {
  domainPk: number;
  from: number;
  to: number;
  /** Whose the links are from then on. */
  userPk: number;
  revision: number;
}

export interface MovedLink {
  pk: number;
  key: string;
}

/** At most so many links of a domain, locked in the order of their pks. */
export function lockLinks(
  tx: Connection,
  { domainPk, from }: Move,
  max: number,
): Promise<MovedLink[]> {
  // Answered by link_workspace.
  return query<MovedLink>(
    sql`
      SELECT pk, key
      FROM link
      WHERE workspace_pk = ${from}
        AND domain_pk = ${domainPk}
      ORDER BY pk
      LIMIT ${max}
      FOR UPDATE`,
    tx,
  );
}

/** An externalId that a link of the domain and a link of the new workspace both have. */
export async function findSharedExternalId(
  tx: Connection,
  { from, to, domainPk }: Move,
): Promise<string | undefined> {
  // Answered by link_external.
  const [row] = await query<{ external_id: string }>(
    sql`
      SELECT mine.external_id
      FROM link AS mine
      JOIN link AS theirs
        ON theirs.workspace_pk = ${to}
        AND theirs.external_id = mine.external_id
      WHERE mine.workspace_pk = ${from}
        AND mine.domain_pk = ${domainPk}
        AND mine.external_id IS NOT NULL
      LIMIT 1`,
    tx,
  );
  return row?.external_id;
}

const firstId = "00000000-0000-0000-0000-000000000000";
/** The lock under which texts are added to the search of a workspace (lib/links/search/index.ts). */
const eraLock = 20_261_121;

/** Gives links to the new workspace, without what only the old one has: folders, tags, keys, webhooks. */
export async function moveLinks(
  tx: Connection,
  { domainPk, from, to, userPk, revision }: Move,
  pks: number[],
): Promise<void> {
  // Each is answered by a primary key, or by an index that begins with link_pk.
  const statements = [
    sql`
      UPDATE link
      SET workspace_pk = ${to},
        user_pk = ${userPk},
        api_key_pk = NULL,
        folder_pk = NULL,
        webhook_ids = '{}',
        revision = ${revision},
        updated_at = now()
      WHERE pk = ANY(${pks}::bigint[])`,
    sql`DELETE FROM link_tag WHERE link_pk = ANY(${pks}::bigint[])`,
    sql`UPDATE link_stat SET workspace_pk = ${to} WHERE link_pk = ANY(${pks}::bigint[])`,
    sql`SELECT pg_advisory_xact_lock(${eraLock}, ${to})`,
    sql`
      INSERT INTO search_era (workspace_pk, after_id, links)
      VALUES (${to}, ${firstId}, 0)
      ON CONFLICT (workspace_pk, after_id) DO NOTHING`,
    sql`
      UPDATE link_search
      SET workspace_pk = ${to},
        era_pk = (
          SELECT pk
          FROM search_era
          WHERE search_era.workspace_pk = ${to}
            AND search_era.after_id < link_search.id
          ORDER BY after_id DESC
          LIMIT 1
        )
      WHERE link_pk = ANY(${pks}::bigint[])`,
    sql`DELETE FROM link_reuse WHERE workspace_pk = ${from} AND domain_pk = ${domainPk}`,
  ];
  for (const statement of statements) await query(statement, tx);
}

/** Gives the domain itself. */
export async function moveRow(
  tx: Connection,
  before: DomainRow,
  { to, revision }: Move,
): Promise<DomainRow> {
  const [row] = await query<{ updated_at: Date }>(
    sql`
      UPDATE domain
      SET workspace_pk = ${to},
        "primary" = false,
        revision = ${revision},
        updated_at = now()
      WHERE pk = ${before.pk}
      RETURNING updated_at`,
    tx,
  );
  if (!row) throw new Error("The row that is locked is gone");
  return { ...before, workspace_pk: to, primary: false, updated_at: row.updated_at };
}
