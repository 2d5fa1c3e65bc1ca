import { type Connection, query, sql } from "#lib/platform/postgres";
import type { PhoneCodeState } from "./store.ts";

export interface ClaimedRow {
  pk: number;
  id: string;
  workspace_pk: number;
  phone_hash: Buffer;
  key_version: number;
  sealed: Buffer;
  language: string;
  attempts: number;
  asked_at: Date;
  form_id: string;
  title: string;
  gateway_pk: number | null;
}

interface ClaimLimits {
  /** Concurrent calls per workspace, so that a slow gateway does not delay others for long. */
  perWorkspace: number;
  /** An attempt without a result after this time is lost. */
  lostMs: number;
}

/** Marks the attempt to send a code that is due. Workers never get the same one. */
export async function claimDue(tx: Connection, { perWorkspace, lostMs }: ClaimLimits) {
  const [row] = await query<ClaimedRow>(
    // Answered by phone_code_due, and by phone_code_attempting for each of its rows; then by form_pkey.
    // defence: phone-code-attempt-recorded
    // defence: stopped-codes-not-sent
    sql`
      UPDATE phone_code
      SET state = 'attempting',
        attempts = phone_code.attempts + 1,
        attempted_at = clock_timestamp()
      FROM form
      WHERE phone_code.pk = (
        SELECT code.pk
        FROM phone_code AS code
        WHERE code.state = 'due'
          AND code.due_at <= clock_timestamp()
          AND code.expires_at > clock_timestamp()
          AND NOT (SELECT codes_stopped FROM workspace WHERE workspace.pk = code.workspace_pk)
          AND (
            SELECT count(*)
            FROM phone_code AS other
            WHERE other.workspace_pk = code.workspace_pk
              AND other.state = 'attempting'
              AND other.attempted_at > clock_timestamp() - ${lostMs} * interval '1 millisecond'
          ) < ${perWorkspace}
        ORDER BY code.due_at
        LIMIT 1
        FOR UPDATE OF code SKIP LOCKED
      )
        AND form.pk = phone_code.form_pk
      RETURNING phone_code.pk, phone_code.id, phone_code.workspace_pk, phone_code.phone_hash,
        phone_code.key_version, phone_code.sealed, phone_code.language, phone_code.attempts, phone_code.asked_at,
        form.id AS form_id, form.content ->> 'title' AS title, form.gateway_pk`,
    tx,
  );
  return row;
}

/** False: another code was requested, or the answers were erased. */
export async function setCode(
  { pk, attempts }: Pick<ClaimedRow, "pk" | "attempts">,
  codeHash: Buffer,
): Promise<boolean> {
  // Answered by phone_code_pkey.
  return await query.any(sql`
    UPDATE phone_code
    SET code_hash = ${codeHash}
    WHERE pk = ${pk}
      AND state = 'attempting'
      AND attempts = ${attempts}
    RETURNING 1`);
}

/** Stores the result of an attempt. `dueInMs`: until the next one. */
export async function settleRow(
  { pk, attempts }: Pick<ClaimedRow, "pk" | "attempts">,
  { state, dueInMs = 0 }: { state: PhoneCodeState; dueInMs?: number },
  tx?: Connection,
): Promise<void> {
  // Answered by phone_code_pkey.
  await query.on(tx).query(sql`
    UPDATE phone_code
    SET state = ${state},
      due_at = clock_timestamp() + ${dueInMs} * interval '1 millisecond'
    WHERE pk = ${pk}
      AND state = 'attempting'
      AND attempts = ${attempts}`);
}
