/** The SQL of rounds. link-rows has the statements that write links. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import {
  type RetirementRules,
  type RetirementSettings,
  retirementColumns,
} from "#lib/tenancy/plans";

export interface Round extends RetirementSettings {
  workspacePk: number;
  checkedAt: Date | null;
  rules: string | null;
  afterId: string | null;
  warnedUntil: Date | null;
}

export async function addRounds(now: Date): Promise<void> {
  // Answered by retirement_round_pkey: one row per workspace, once an hour.
  await query(sql`
    INSERT INTO retirement_round (workspace_pk, next_at)
    SELECT workspace.pk, ${now}
    FROM workspace
    WHERE workspace.deleted_at IS NULL
      AND NOT EXISTS (
        SELECT
        FROM retirement_round AS known
        WHERE known.workspace_pk = workspace.pk
      )
    ON CONFLICT DO NOTHING`);
}

/** Lets workspaces in which the own date of a link has come have their round at once. */
export async function hastenRounds(now: Date): Promise<void> {
  // Answered by link_own_date. Separate statements, because servers that share the links can’t join them with rounds.
  const due = await query<{ workspacePk: number }>(sql`
    SELECT DISTINCT workspace_pk AS "workspacePk"
    FROM link
    WHERE retires_own
      AND retires_at <= ${now}
      AND retired_at IS NULL
      AND banned_at IS NULL`);
  // Answered by retirement_round_pkey, in its order: two workers that hasten many rounds don’t wait for each other in a circle.
  // A round that is running may run twice.
  await query(sql`
    UPDATE retirement_round
    SET next_at = ${now}
    WHERE workspace_pk IN (
      SELECT workspace_pk
      FROM retirement_round
      WHERE workspace_pk = ANY(${due.map(({ workspacePk }) => workspacePk)}::int[])
        AND next_at > ${now}
      ORDER BY workspace_pk
      FOR UPDATE
    )`);
}

/** The next due round, leased. If the worker dies, the lease ends. */
export function takeRound(now: Date, leasedUntil: Date) {
  // Answered by retirement_round_next_at_idx. A deleted workspace keeps its links as they are.
  return query.one<Round>({
    text: `
    UPDATE retirement_round AS round
    SET next_at = $1
    FROM workspace
    WHERE workspace.pk = round.workspace_pk
      AND round.workspace_pk = (
        SELECT due.workspace_pk
        FROM retirement_round AS due
        JOIN workspace AS present ON present.pk = due.workspace_pk
        WHERE due.next_at <= $2
          AND present.deleted_at IS NULL
        ORDER BY due.next_at, due.workspace_pk
        LIMIT 1
        FOR UPDATE OF due SKIP LOCKED
      )
    RETURNING round.workspace_pk AS "workspacePk", round.checked_at AS "checkedAt", round.rules,
      round.after_id AS "afterId", round.warned_until AS "warnedUntil", workspace.plan,
      ${retirementColumns}`,
    values: [leasedUntil, now],
  });
}

type RoundEnd = Pick<Round, "workspacePk" | "checkedAt" | "rules"> & { nextAt: Date };

export async function endRound(end: RoundEnd): Promise<void> {
  await query(sql`
    UPDATE retirement_round
    SET next_at = ${end.nextAt},
      checked_at = ${end.checkedAt},
      rules = ${end.rules}
    WHERE workspace_pk = ${end.workspacePk}`);
}

/** Saves the last link that got a date, and extends the lease. */
export async function savePosition(
  tx: Connection,
  workspacePk: number,
  afterId: string | null,
  leasedUntil: Date,
): Promise<void> {
  await tx.query(sql`
    UPDATE retirement_round
    SET after_id = ${afterId},
      next_at = ${leasedUntil}
    WHERE workspace_pk = ${workspacePk}`);
}

export function listUndated(
  tx: Connection,
  workspacePk: number,
  afterId: string | null,
  untilId: string,
  max: number,
): Promise<{ pk: number; id: string }[]> {
  // Answered by link_workspace.
  return tx.query(sql`
    SELECT pk, id
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND (${afterId}::uuid IS NULL OR id > ${afterId}::uuid)
      AND id < ${untilId}::uuid
    ORDER BY id
    LIMIT ${max}`);
}

export interface Dated {
  pk: number;
  retiresAt: Date;
}

export function listDatedAfter(
  tx: Connection,
  workspacePk: number,
  after: Dated | undefined,
  max: number,
): Promise<Dated[]> {
  // Answered by link_retiring.
  return tx.query(sql`
    SELECT pk, retires_at AS "retiresAt"
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND retires_at IS NOT NULL
      AND retired_at IS NULL
      AND (retires_at, pk) > (${after?.retiresAt ?? "-infinity"}::timestamptz, ${after?.pk ?? 0})
    ORDER BY retires_at, pk
    LIMIT ${max}`);
}

interface DatedPage {
  after: Dated | undefined;
  until: Date;
  rules: RetirementRules;
  max: number;
}

/** Links in the order of their dates. `moved`: a visit, a scan or a QR design may move the date. */
export function listMoved(
  workspacePk: number,
  { after, until, rules, max }: DatedPage,
): Promise<(Dated & { moved: boolean })[]> {
  // Answered by link_retiring and link_stat_pkey. OFFSET 0 keeps the order, because a plain join would read all links for a page.
  return query(sql`
    SELECT link.pk, link.retires_at AS "retiresAt",
      NOT link.retires_own AND (
        link.qr IS NOT NULL
        OR coalesce(stat.scans > 0, false)
        OR coalesce(NOT ${rules.fromCreation}::boolean AND stat.last_click_at + interval '1 day' *
          CASE WHEN link.api_key_pk IS NULL
            THEN ${rules.peopleDays}::int
            ELSE ${rules.apiDays}::int
          END > link.retires_at, false)
      ) AS moved
    FROM link
    LEFT JOIN LATERAL (
      SELECT last_click_at, scans
      FROM link_stat
      WHERE link_pk = link.pk
      OFFSET 0
    ) AS stat ON true
    WHERE link.workspace_pk = ${workspacePk}
      AND link.retires_at IS NOT NULL
      AND link.retired_at IS NULL
      AND (link.retires_at, link.pk) >
        (${after?.retiresAt ?? "-infinity"}::timestamptz, ${after?.pk ?? 0})
      AND link.retires_at <= ${until}::timestamptz
    ORDER BY link.retires_at, link.pk
    LIMIT ${max}`);
}

export async function countDated(tx: Connection, workspacePk: number, after: Date, until: Date) {
  // Answered by link_retiring.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND retires_at > ${after}
      AND retires_at <= ${until}
      AND retired_at IS NULL`);
  return row?.count ?? 0;
}

export function listDated(
  workspacePk: number,
  after: Date,
  until: Date,
  max: number,
): Promise<{ slug: string; key: string; url: string }[]> {
  // Answered by link_retiring, in its order.
  return query(sql`
    SELECT domain.slug, link.key, link.url
    FROM (
      SELECT pk, domain_pk, key, url, retires_at
      FROM link
      WHERE workspace_pk = ${workspacePk}
        AND retires_at > ${after}
        AND retires_at <= ${until}
        AND retired_at IS NULL
      ORDER BY retires_at, pk
      LIMIT ${max}
    ) AS link
    JOIN domain ON domain.pk = link.domain_pk
    ORDER BY link.retires_at, link.pk`);
}

/** Locks the round against other workers. Null: nothing was announced yet. */
export function lockWarned(tx: Connection, workspacePk: number) {
  return tx.one<{ warnedUntil: Date | null }>(sql`
    SELECT warned_until AS "warnedUntil"
    FROM retirement_round
    WHERE workspace_pk = ${workspacePk}
    FOR UPDATE`);
}

export async function saveWarned(tx: Connection, workspacePk: number, until: Date): Promise<void> {
  await tx.query(sql`
    UPDATE retirement_round
    SET warned_until = ${until}
    WHERE workspace_pk = ${workspacePk}`);
}

export interface WarnedPerson {
  email: string;
  locale: string | null;
  workspace: string;
  slug: string;
}

export function findWarned(workspacePk: number, userPk: number) {
  // Answered by membership_pkey, app_user_pkey and workspace_pkey.
  return query.one<WarnedPerson>(sql`
    SELECT app_user.email, app_user.locale, workspace.name AS workspace, workspace.slug
    FROM membership
    JOIN app_user ON app_user.pk = membership.user_pk
    JOIN workspace ON workspace.pk = membership.workspace_pk
    WHERE membership.workspace_pk = ${workspacePk}
      AND membership.user_pk = ${userPk}
      AND membership.role IN ('owner', 'admin')
      AND app_user.email_proven_at IS NOT NULL
      AND workspace.deleted_at IS NULL`);
}

/** Deletes the shares of deleted links, because another link may get their pk. */
export async function dropShares(tx: Connection, workspacePk: number, linkPks: readonly number[]) {
  // Answered by share_workspace_pk_idx.
  await tx.query(sql`
    DELETE FROM share
    WHERE workspace_pk = ${workspacePk}
      AND kind = 'link'
      AND subject_pk = ANY(${linkPks}::bigint[])`);
}

/** Stored with a round. If the text changes, all links are dated again. */
export function rulesText({ apiDays, peopleDays, fromCreation }: RetirementRules): string {
  return `${apiDays} ${peopleDays} ${fromCreation ? "creation" : "visit"}`;
}
