/**
 * Deletes links with everything that depends on them, and requests the erasure of their stats in
 * the same transaction (analytics.erasure, which lib/analytics/rollups processes).
 */
import { dropTexts } from "#lib/links/search";
import type { KeyLink } from "#lib/links/search/schema";
import { type Connection, sql } from "#lib/platform/postgres";
import { dropDependents } from "./apart.ts";
import { lockLinks } from "./locks.ts";
import { recordRemovals } from "./move.ts";

export interface DeletedLink {
  pk: number;
  domain_pk: number;
  key: string;
}

export interface DeletionScope {
  workspacePk: number;
  domainPk?: number;
  /** Delay of the erasure of stats. Until then the links can be restored. */
  eraseAfterMinutes?: number;
}

export async function deleteLinks(
  tx: Connection,
  pks: readonly number[],
  { workspacePk, domainPk, eraseAfterMinutes = 0 }: DeletionScope,
): Promise<DeletedLink[]> {
  // Lock first, so that no tag is added meanwhile.
  const locked = await lockLinks(tx, pks, "update");
  // Answered by link_pkey.
  const held = await tx.query<DeletedLink & KeyLink>(sql`
    SELECT pk, id, domain_pk, key, workspace_pk, api_key_pk, external_id
    FROM link
    WHERE pk = ANY(${locked}::bigint[])
      AND workspace_pk = ${workspacePk}
      AND (${domainPk ?? null}::int IS NULL OR domain_pk = ${domainPk ?? null}::int)
    ORDER BY pk`);
  if (held.length === 0) return [];
  const heldPks = held.map(({ pk }) => pk);
  await recordRemovals(tx, heldPks);
  await dropTexts(tx, held);
  await dropDependents(tx, held);
  // Answered by the primary keys, and for names by alias_link_pk_idx.
  const statements = [
    sql`DELETE FROM link WHERE pk = ANY(${heldPks}::bigint[])`,
    sql`DELETE FROM alias WHERE link_pk = ANY(${heldPks}::bigint[])`,
    sql`
      INSERT INTO analytics.erasure (workspace_pk, link_pk, due_at)
      SELECT ${workspacePk}, pk, now() + ${eraseAfterMinutes} * interval '1 minute'
      FROM unnest(${heldPks}::bigint[]) AS pk`,
  ];
  for (const statement of statements) await tx.query(statement);
  return held;
}

export function listNewest(
  tx: Connection,
  workspacePk: number,
  beforeId: string | null,
  max: number,
): Promise<{ pk: number; id: string; domain_pk: number }[]> {
  // Answered by link_workspace, in its order.
  return tx.query(sql`
    SELECT pk, id, domain_pk
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND (${beforeId}::uuid IS NULL OR id < ${beforeId}::uuid)
    ORDER BY id DESC
    LIMIT ${max}`);
}
