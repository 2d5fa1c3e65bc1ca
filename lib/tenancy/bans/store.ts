/** The rows of bans. */
import type { AbuseReason } from "#lib/basics/abuse/schema";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { Ban, BanKind, BansQuery } from "./schema.ts";

export interface BanRow {
  pk: number;
  id: string;
  kind: BanKind;
  subject: string;
  name: string;
  workspace_pk: number | null;
  user_pk: number | null;
  link_pk: number | null;
  reason: AbuseReason;
  note: string;
  actor: string;
  created_at: Date;
  ends_at: Date | null;
  lifted_at: Date | null;
  lifted_by: string | null;
}

export const banColumns = `ban.pk, ban.id, ban.kind, ban.subject, ban.name, ban.workspace_pk, ban.user_pk, ban.link_pk,
  ban.reason, ban.note, ban.actor, ban.created_at, ban.ends_at, ban.lifted_at, ban.lifted_by`;

export type NewBanRow = Pick<
  BanRow,
  "id" | "kind" | "subject" | "name" | "reason" | "note" | "actor" | "ends_at"
> & { workspacePk: number | null; userPk: number | null; linkPk: number | null };

export async function insertBan(
  tx: Connection,
  ban: NewBanRow,
  revision: number,
): Promise<BanRow | undefined> {
  return await tx.one<BanRow>({
    // Uses ban_active.
    text: `
      INSERT INTO ban (id, kind, subject, name, workspace_pk, user_pk, link_pk, reason, note, actor, revision, ends_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      ON CONFLICT (kind, subject) WHERE lifted_at IS NULL DO NOTHING
      RETURNING ${banColumns}`,
    values: [
      ban.id,
      ban.kind,
      ban.subject,
      ban.name,
      ban.workspacePk,
      ban.userPk,
      ban.linkPk,
      ban.reason,
      ban.note,
      ban.actor,
      revision,
      ban.ends_at,
    ],
  });
}

export async function endBan(
  tx: Connection,
  id: string,
  actor: string,
  revision: number,
): Promise<BanRow | undefined> {
  return await tx.one<BanRow>({
    // Uses ban_id_key.
    text: `
      UPDATE ban
      SET lifted_at = now(), lifted_by = $2, revision = $3
      WHERE id = $1
        AND lifted_at IS NULL
      RETURNING ${banColumns}`,
    values: [id, actor, revision],
  });
}

/** Other rooms read this state with the workspace. */
export async function markWorkspace(
  tx: Connection,
  workspacePk: number,
  isBanned: boolean,
): Promise<void> {
  await tx.query(sql`
    UPDATE workspace
    SET banned_at = CASE WHEN ${isBanned}::boolean THEN now() END
    WHERE pk = ${workspacePk}`);
}

/** Sessions and API keys are loaded with this state. */
export async function markUser(tx: Connection, userPk: number, isBanned: boolean): Promise<void> {
  await tx.query(sql`
    UPDATE app_user
    SET banned_at = CASE WHEN ${isBanned}::boolean THEN now() END
    WHERE pk = ${userPk}`);
}

export async function findActiveBan(kind: BanKind, subject: string): Promise<BanRow | undefined> {
  return await query.one<BanRow>({
    // Uses ban_active.
    text: `
      SELECT ${banColumns}
      FROM ban
      WHERE kind = $1
        AND subject = $2
        AND lifted_at IS NULL`,
    values: [kind, subject],
  });
}

export async function listRows({
  state,
  kind,
  pageSize,
  startingAfter,
}: BansQuery): Promise<BanRow[]> {
  return await query<BanRow>({
    // Uses ban_pkey: bans are few.
    text: `
      SELECT ${banColumns}
      FROM ban
      WHERE ($1 = 'all' OR (lifted_at IS NULL) = ($1 = 'active'))
        AND ($2::text IS NULL OR kind = $2)
        AND ($3::text IS NULL OR pk < (SELECT pk FROM ban WHERE id = $3))
      ORDER BY pk DESC
      LIMIT $4`,
    values: [state, kind ?? null, startingAfter ?? null, pageSize],
  });
}

export async function listEnding(max: number): Promise<string[]> {
  // Uses ban_ending.
  const rows = await query<{ id: string }>(sql`
    SELECT id
    FROM ban
    WHERE ends_at <= now()
      AND lifted_at IS NULL
    ORDER BY ends_at
    LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

export async function listUnannounced(max: number): Promise<BanRow[]> {
  return await query<BanRow>({
    // Uses ban_unannounced.
    text: `SELECT ${banColumns} FROM ban WHERE announced_at IS NULL ORDER BY pk LIMIT $1`,
    values: [max],
  });
}

export async function loadHosts(): Promise<string[]> {
  // Uses ban_active.
  const rows = await query<{ subject: string }>(
    sql`SELECT subject FROM ban WHERE kind = 'host' AND lifted_at IS NULL`,
  );
  return rows.map(({ subject }) => subject);
}

export async function loadRevision(): Promise<number> {
  // Uses ban_revision.
  const [row] = await query<{ revision: number }>(
    sql`SELECT coalesce(max(revision), 0) AS revision FROM ban`,
  );
  return row?.revision ?? 0;
}

export function presentBan(row: BanRow): Ban {
  const { id, kind, subject, name, reason, note, actor } = row;
  return {
    id,
    kind,
    subject,
    name,
    reason,
    note,
    actor,
    createdAt: row.created_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    liftedAt: row.lifted_at?.toISOString() ?? null,
    liftedBy: row.lifted_by,
  };
}

export async function markAnnounced(tx: Connection, pk: number): Promise<void> {
  await tx.query(sql`UPDATE ban SET announced_at = now() WHERE pk = ${pk}`);
}

export async function countActiveBans(max: number): Promise<number> {
  // Answered by ban_active.
  const row = await query.one<{ bans: number }>(sql`
    SELECT count(*) AS bans
    FROM (SELECT 1 FROM ban WHERE lifted_at IS NULL LIMIT ${max}) AS active`);
  return row?.bans ?? 0;
}
