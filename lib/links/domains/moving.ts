import { lockLinks, type WorkspaceMove } from "#lib/links/link-rows";
import { type Connection, sql } from "#lib/platform/postgres";
import type { DomainRow } from "./store.ts";

export interface MovedLink {
  pk: number;
  key: string;
}

export async function lockMoved(tx: Connection, { domainPk, from }: WorkspaceMove, max: number) {
  // Answered by link_workspace.
  const first = await tx.query<{ pk: number }>(sql`
    SELECT pk
    FROM link
    WHERE workspace_pk = ${from}
      AND domain_pk = ${domainPk}
    LIMIT ${max}`);
  const locked = await lockLinks(
    tx,
    first.map(({ pk }) => pk),
    "update",
  );
  // Answered by link_pkey.
  return await tx.query<MovedLink>(sql`
    SELECT pk, key
    FROM link
    WHERE pk = ANY(${locked}::bigint[])
      AND workspace_pk = ${from}
      AND domain_pk = ${domainPk}`);
}

/** An externalId that a link of the domain and a link of the new workspace both use. */
export async function findSharedExternalId(tx: Connection, { from, to, domainPk }: WorkspaceMove) {
  // Answered by link_workspace.
  const mine = await tx.query<{ external_id: string }>(sql`
    SELECT external_id
    FROM link
    WHERE workspace_pk = ${from}
      AND domain_pk = ${domainPk}
      AND external_id IS NOT NULL`);
  // Answered by link_external.
  const [row] = await tx.query<{ external_id: string }>(sql`
    SELECT external_id
    FROM link
    WHERE workspace_pk = ${to}
      AND external_id = ANY(${mine.map(({ external_id }) => external_id)}::text[])
    LIMIT 1`);
  return row?.external_id;
}

export async function moveRow(
  tx: Connection,
  before: DomainRow,
  { to, revision }: WorkspaceMove,
): Promise<DomainRow> {
  const [row] = await tx.query<{ updated_at: Date }>(sql`
    UPDATE domain
    SET workspace_pk = ${to},
      "primary" = false,
      revision = ${revision},
      updated_at = now()
    WHERE pk = ${before.pk}
    RETURNING updated_at`);
  if (!row) throw new Error("The locked row doesn’t exist");
  return { ...before, workspace_pk: to, primary: false, updated_at: row.updated_at };
}
