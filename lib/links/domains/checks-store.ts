import { type Connection, query, sql } from "#lib/platform/postgres";
import type { Findings } from "./records.ts";
import { columns, type DomainRow } from "./store.ts";

/** Leases due domains for `leaseSeconds`. If the worker dies, the lease expires. */
export function takeDueDomains(max: number, leaseSeconds: number): Promise<DomainRow[]> {
  return query<DomainRow>({
    // Answered by domain_check.
    text: `
      UPDATE domain
      SET check_due_at = now() + make_interval(secs => $2)
      WHERE pk IN (
        SELECT pk
        FROM domain
        WHERE check_due_at <= now()
        ORDER BY check_due_at
        LIMIT $1
        FOR UPDATE SKIP LOCKED
      )
      RETURNING ${columns}`,
    values: [max, leaseSeconds],
  });
}

export interface CheckValues {
  findings: Findings;
  checkedAt: Date;
  failingSince: Date | undefined;
  dueAt: Date | undefined;
  claimedAt: Date;
  /** When DNS first proved the domain, if this check proves it. */
  provenAt: Date | undefined;
}

/** Stores the result of a check, unless the domain was renamed or deleted meanwhile. */
export async function saveCheck(
  row: Pick<DomainRow, "pk" | "slug">,
  values: CheckValues,
  tx?: Connection,
): Promise<DomainRow | undefined> {
  const { findings, checkedAt, failingSince, dueAt, claimedAt, provenAt } = values;
  return await query.on(tx).one<DomainRow>({
    // Answered by domain_pkey.
    text: `
      UPDATE domain
      SET findings = $3::jsonb,
        checked_at = $4,
        failing_since = $5,
        check_due_at = $6,
        proven_at = coalesce(proven_at, $7),
        claimed_at = $8
      WHERE pk = $1
        AND slug = $2
      RETURNING ${columns}`,
    values: [
      row.pk,
      row.slug,
      JSON.stringify(findings),
      checkedAt,
      failingSince ?? null,
      dueAt ?? null,
      provenAt ?? null,
      claimedAt,
    ],
  });
}

/** Postpones a check that had no result. Undefined: indefinitely. */
export async function postpone(row: Pick<DomainRow, "pk" | "slug">, dueAt: Date | undefined) {
  // Answered by domain_pkey.
  await query(sql`
    UPDATE domain
    SET check_due_at = ${dueAt ?? null}
    WHERE pk = ${row.pk}
      AND slug = ${row.slug}`);
}

export async function resetChecks(tx: Connection, pk: number, due: boolean): Promise<void> {
  // Answered by domain_pkey.
  await tx.query(sql`
    UPDATE domain
    SET claimed_at = now(),
      proven_at = NULL,
      check_due_at = CASE WHEN ${due} THEN now() END,
      checked_at = NULL,
      failing_since = NULL,
      findings = NULL
    WHERE pk = ${pk}`);
}
