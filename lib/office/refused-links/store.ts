/** The SQL of the walk through all links, and of the jobs that disable some of them. */
import type { FoundLink } from "#lib/links/presenting";
import { type Connection, query, sql } from "#lib/platform/postgres";

export interface Position {
  workspacePk: number;
  /** The greatest possible id starts at the beginning of a workspace. */
  id: string;
}

export const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export type WalkedLink = Pick<
  FoundLink,
  "url" | "expired_url" | "ios" | "android" | "geo" | "test_variants" | "rules" | "disabled_at"
> & {
  id: string;
  key: string;
  slug: string;
  workspace_pk: number;
  workspace_id: string;
  workspace_name: string;
  workspace_slug: string;
  /** Visitors already see a page, or the workspace was deleted. */
  stopped: boolean;
};

/** `only`: stays in the workspace of the position. */
export function walkStatement({ workspacePk, id }: Position, only: boolean, max: number) {
  // Each half is answered by link_workspace in its order; the second is not read when the first is enough.
  return sql`
      WITH page AS (
        (
          SELECT pk
          FROM link
          WHERE workspace_pk = ${workspacePk}
            AND id < ${id}::uuid
          ORDER BY id DESC
          LIMIT ${max}
        )
        UNION ALL
        (
          SELECT pk
          FROM link
          WHERE workspace_pk > ${workspacePk}
            AND NOT ${only}::bool
          ORDER BY workspace_pk, id DESC
          LIMIT ${max}
        )
        LIMIT ${max}
      ), link AS MATERIALIZED (
        SELECT walked.id, walked.key, walked.url, walked.expired_url, walked.ios, walked.android,
          walked.geo, walked.test_variants, walked.rules, walked.disabled_at, walked.banned_at,
          walked.retired_at, walked.domain_pk, walked.workspace_pk
        FROM page
        JOIN public.link AS walked ON walked.pk = page.pk
      )
      SELECT
        link.id, link.key, link.url, link.expired_url, link.ios, link.android, link.geo,
        link.test_variants, link.rules, link.disabled_at,
        domain.slug,
        link.workspace_pk,
        workspace.id AS workspace_id,
        workspace.name AS workspace_name,
        workspace.slug AS workspace_slug,
        link.banned_at IS NOT NULL OR link.retired_at IS NOT NULL
          OR workspace.deleted_at IS NOT NULL AS stopped
      FROM link
      JOIN domain ON domain.pk = link.domain_pk
      JOIN workspace ON workspace.pk = link.workspace_pk`;
}

export async function walkLinks(
  position: Position,
  only: boolean,
  max: number,
  tx?: Connection,
): Promise<WalkedLink[]> {
  const rows = await query.on(tx).query<WalkedLink>(walkStatement(position, only, max));
  return rows.sort(
    (a, b) => a.workspace_pk - b.workspace_pk || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0),
  );
}

export async function findWorkspacePk(name: string): Promise<number | undefined> {
  // Answered by workspace_id_key and workspace_slug_key.
  const [row] = await query<{ pk: number }>(
    sql`SELECT pk FROM workspace WHERE (id = ${name} OR slug = ${name}) AND deleted_at IS NULL`,
  );
  return row?.pk;
}

export interface JobRow {
  id: string;
  workspace_pk: number | null;
  workspace_id: string | null;
  actor: string;
  reason: string;
  cursor_workspace_pk: number;
  cursor_id: string;
  checked: number;
  disabled: number;
  created_at: Date;
  finished_at: Date | null;
}

/** False if there is already an open job. */
export async function insertJob(
  tx: Connection,
  job: Pick<JobRow, "id" | "workspace_pk" | "actor" | "reason">,
): Promise<boolean> {
  return await tx.any(sql`
    INSERT INTO refused_job (id, workspace_pk, actor, reason, cursor_workspace_pk, cursor_id)
    VALUES (
      ${job.id}, ${job.workspace_pk}, ${job.actor}, ${job.reason}, ${job.workspace_pk ?? 0},
      ${lastUuid}::uuid
    )
    ON CONFLICT DO NOTHING
    RETURNING id`);
}

const columns = `refused_job.id, workspace_pk, workspace.id AS workspace_id, actor, reason,
  cursor_workspace_pk, cursor_id, checked, disabled, refused_job.created_at, finished_at`;

export async function findLatestJob(): Promise<JobRow | undefined> {
  return await query.one<JobRow>({
    // Needs no index: rows are deleted after days, so there are only a few.
    text: `
      SELECT ${columns}
      FROM refused_job
      LEFT JOIN workspace ON workspace.pk = workspace_pk
      ORDER BY refused_job.created_at DESC
      LIMIT 1`,
    values: [],
  });
}

/** Other workers wait for an open job until the transaction ends. */
export async function lockOpenJob(tx: Connection): Promise<JobRow | undefined> {
  return await tx.one<JobRow>({
    // Answered by refused_job_open.
    text: `
      SELECT ${columns}
      FROM refused_job
      LEFT JOIN workspace ON workspace.pk = workspace_pk
      WHERE finished_at IS NULL
      FOR UPDATE OF refused_job`,
    values: [],
  });
}

/** Without a position, the job is finished. */
export async function storeStep(
  tx: Connection,
  id: string,
  { checked, disabled, position }: { checked: number; disabled: number; position?: Position },
): Promise<void> {
  await tx.query(sql`
    UPDATE refused_job
    SET checked = checked + ${checked},
      disabled = disabled + ${disabled},
      cursor_workspace_pk = coalesce(${position?.workspacePk ?? null}::int, cursor_workspace_pk),
      cursor_id = coalesce(${position?.id ?? null}::uuid, cursor_id),
      finished_at = CASE WHEN ${position === undefined} THEN now() END
    WHERE id = ${id}`);
}
