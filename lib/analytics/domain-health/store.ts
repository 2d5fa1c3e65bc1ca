import { type Connection, query, sql } from "#lib/platform/postgres";
import type { AppName } from "#lib/platform/request-info/schema";
import type { Probe } from "#lib/platform/safe-fetch";
import type { AppShare } from "./schema.ts";

const newRowsMax = 1_000;

/** Resets domains that were transferred or renamed: no workspace sees data of another one. */
export async function addDomains(now: Date): Promise<void> {
  // No index: there are few domains.
  await query(sql`
    DELETE FROM domain_health
    USING domain
    WHERE domain.pk = domain_health.domain_pk
      AND domain.verified_at IS NULL`);
  await query(sql`
    INSERT INTO domain_health AS health (domain_pk, workspace_pk, slug, due_at, checker_due_at)
    SELECT domain.pk, domain.workspace_pk, domain.slug, ${now}, ${now}
    FROM domain
    LEFT JOIN domain_health AS known ON known.domain_pk = domain.pk
    WHERE domain.verified_at IS NOT NULL
      AND domain.workspace_pk IS NOT NULL
      AND (known.workspace_pk, known.slug) IS DISTINCT FROM (domain.workspace_pk, domain.slug)
    LIMIT ${newRowsMax}
    ON CONFLICT (domain_pk) DO UPDATE
    SET workspace_pk = EXCLUDED.workspace_pk,
      slug = EXCLUDED.slug,
      due_at = EXCLUDED.due_at,
      probe = NULL,
      probed_at = NULL,
      checker = NULL,
      checker_at = NULL,
      checker_due_at = EXCLUDED.checker_due_at,
      apps = NULL,
      judged_day = NULL,
      judged_at = NULL,
      answered_at = NULL,
      silent_since = NULL,
      silent_told_at = NULL`);
}

export interface DueDomain {
  pk: number;
  id: string;
  workspacePk: number;
  slug: string;
  asksChecker: boolean;
}

/** Leases due domains. If the worker dies, they are due again when the lease expires. */
export function takeDue(now: Date, max: number, leaseSeconds: number): Promise<DueDomain[]> {
  // Answered by domain_health_due.
  return query<DueDomain>(sql`
    UPDATE domain_health AS health
    SET due_at = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
    FROM domain
    WHERE health.domain_pk IN (
        SELECT domain_pk
        FROM domain_health
        WHERE due_at <= ${now}
        ORDER BY due_at
        LIMIT ${max}
        FOR UPDATE SKIP LOCKED
      )
      AND domain.pk = health.domain_pk
    RETURNING health.domain_pk AS pk, domain.id, health.workspace_pk AS "workspacePk", health.slug,
      health.checker_due_at <= ${now} AS "asksChecker"`);
}

/** Saves the result only while the domain still has the same name and workspace. */
export async function saveProbe(
  tx: Connection,
  { pk, workspacePk, slug }: DueDomain,
  probe: Probe,
  { answers, now }: { answers: boolean; now: Date },
): Promise<boolean> {
  return await tx.any(sql`
    UPDATE domain_health
    SET probe = ${JSON.stringify(probe)}::jsonb,
      probed_at = ${now},
      answered_at = CASE WHEN ${answers} THEN ${now}::timestamptz ELSE answered_at END,
      silent_since = CASE WHEN ${answers} THEN NULL ELSE coalesce(silent_since, ${now}::timestamptz) END
    WHERE domain_pk = ${pk}
      AND workspace_pk = ${workspacePk}
      AND slug = ${slug}
    RETURNING domain_pk`);
}

export async function saveCheckerAnswer(
  tx: Connection,
  pk: number,
  blockedIn: readonly AppName[],
  at: { now: Date; next: Date },
): Promise<void> {
  await tx.query(sql`
    UPDATE domain_health
    SET checker = ${JSON.stringify(blockedIn)}::jsonb,
      checker_at = ${at.now},
      checker_due_at = ${at.next}
    WHERE domain_pk = ${pk}`);
}

export async function setDue(pks: readonly number[], dueAt: Date): Promise<void> {
  await query(sql`UPDATE domain_health SET due_at = ${dueAt} WHERE domain_pk = ANY(${pks}::int[])`);
}

export async function lockHealth(
  tx: Connection,
  { pk, workspacePk, slug }: DueDomain,
): Promise<{ judgedDay: string | null } | undefined> {
  // Answered by domain_health_pkey and domain_pkey.
  return await tx.one(sql`
    SELECT health.judged_day::text AS "judgedDay"
    FROM domain_health AS health
    JOIN domain
      ON domain.pk = health.domain_pk
      AND domain.workspace_pk = health.workspace_pk
      AND domain.slug = health.slug
    WHERE health.domain_pk = ${pk}
      AND health.workspace_pk = ${workspacePk}
      AND health.slug = ${slug}
    FOR UPDATE OF health`);
}

export async function saveShares(
  tx: Connection,
  pk: number,
  shares: readonly AppShare[],
  judged: { day: string; now: Date },
): Promise<void> {
  await tx.query(sql`
    UPDATE domain_health
    SET apps = ${JSON.stringify(shares)}::jsonb,
      judged_day = ${judged.day}::date,
      judged_at = ${judged.now}
    WHERE domain_pk = ${pk}`);
}

export async function findDomain(
  workspacePk: number,
  slug: string,
): Promise<Pick<DueDomain, "pk" | "id" | "slug"> | undefined> {
  // Answered by domain_claim.
  return await query.one(
    sql`SELECT pk, id, slug FROM domain WHERE workspace_pk = ${workspacePk} AND slug = ${slug}`,
  );
}

export interface HealthRow {
  probe: Probe | null;
  probedAt: Date | null;
  checker: AppName[] | null;
  checkerAt: Date | null;
  apps: AppShare[] | null;
  judgedDay: string | null;
}

export async function findHealth(
  workspacePk: number,
  domainId: string,
): Promise<HealthRow | undefined> {
  // Answered by domain_id_key and domain_health_pkey.
  return await query.one<HealthRow>(sql`
    SELECT health.probe, health.probed_at AS "probedAt", health.checker,
      health.checker_at AS "checkerAt", health.apps, health.judged_day::text AS "judgedDay"
    FROM domain
    JOIN domain_health AS health
      ON health.domain_pk = domain.pk
      AND health.workspace_pk = domain.workspace_pk
      AND health.slug = domain.slug
    WHERE domain.id = ${domainId}
      AND domain.workspace_pk = ${workspacePk}`);
}
