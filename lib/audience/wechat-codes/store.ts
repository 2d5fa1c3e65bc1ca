import { type Connection, query, sql } from "#lib/platform/postgres";

/** Stored, so never rename one. */
type Stage = "code" | "profile" | "done";

interface NewRow {
  id: string;
  workspacePk: number;
  accountPk: number;
  /** UUID, possibly of a contact that was merged into another. */
  contact: string;
  formPk: number;
  formVersion: number;
  linkPk: number;
  isNew: boolean;
  profile: boolean;
  version: number;
  sealed: Buffer;
  now: Date;
  validUntil: Date;
  expiresAt: Date;
}

/** False: a duplicate id or an erased contact. Answered by contact_id_key, contact_alias_pkey. */
export async function insertRow(tx: Connection, row: NewRow): Promise<boolean> {
  const { id, workspacePk, accountPk, contact, formPk, formVersion, linkPk, isNew } = row;
  const { profile, version, sealed, now, validUntil, expiresAt } = row;
  // defence: wechat-state-once
  const rows = await tx.query(sql`
    INSERT INTO wechat_code (
      id, workspace_pk, account_pk, contact_pk, form_pk, form_version, link_pk, is_new, profile, key_version, sealed,
      due_at, valid_until, expires_at
    )
    SELECT ${id}::uuid, ${workspacePk}::int, account.pk, known.pk, ${formPk}::int, ${formVersion}::int, ${linkPk}::bigint,
      ${isNew}::bool, ${profile}::bool, ${version}::smallint, ${sealed}::bytea, ${now}::timestamptz,
      ${validUntil}::timestamptz, ${expiresAt}::timestamptz
    FROM (
      SELECT pk FROM contact WHERE id = ${contact} AND workspace_pk = ${workspacePk}
      UNION ALL
      SELECT contact_pk FROM contact_alias WHERE id = ${contact} AND workspace_pk = ${workspacePk}
    ) AS known (pk)
    JOIN wechat_account AS account ON account.pk = ${accountPk}
      AND account.workspace_pk = ${workspacePk}
    ON CONFLICT (id) DO NOTHING
    RETURNING 1`);
  return rows.length > 0;
}

export interface ClaimedCode {
  pk: number;
  id: string;
  workspace_pk: number;
  account_pk: number;
  form_pk: number;
  form_version: number;
  link_pk: number;
  profile: boolean;
  stage: Stage;
  key_version: number;
  sealed: Buffer;
  attempts: number;
  /** It is too late for another attempt. */
  is_late: boolean;
}

/** Two workers never get the same row. Answered by wechat_code_due and wechat_code_workspace. */
export async function claimDue({
  perWorkspace,
  leaseMs,
}: {
  perWorkspace: number;
  leaseMs: number;
}): Promise<ClaimedCode | undefined> {
  // defence: wechat-code-lease
  const [row] = await query<ClaimedCode>(sql`
    UPDATE wechat_code
    SET attempts = wechat_code.attempts + 1,
      leased_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
      due_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    WHERE pk = (
      SELECT code.pk
      FROM wechat_code AS code
      WHERE code.stage <> 'done'
        AND code.due_at <= clock_timestamp()
        AND (
          SELECT count(*)
          FROM wechat_code AS other
          WHERE other.workspace_pk = code.workspace_pk
            AND other.leased_until > clock_timestamp()
        ) < ${perWorkspace}
      ORDER BY code.due_at
      LIMIT 1
      FOR UPDATE OF code SKIP LOCKED
    )
    RETURNING pk, id, workspace_pk, account_pk, form_pk, form_version, link_pk, profile, stage,
      key_version, sealed, attempts, valid_until <= clock_timestamp() AS is_late`);
  return row;
}

type Leased = Pick<ClaimedCode, "pk" | "attempts">;

/** Answered by wechat_code_pkey. */
export async function deferRow({ pk, attempts }: Leased, dueInMs: number): Promise<void> {
  await query(sql`
    UPDATE wechat_code
    SET leased_until = NULL,
      due_at = clock_timestamp() + ${dueInMs} * interval '1 millisecond'
    WHERE pk = ${pk}
      AND attempts = ${attempts}`);
}

/** False: another worker has the row. Answered by wechat_code_pkey. */
export async function setProfileStage(
  tx: Connection,
  { pk, attempts }: Leased,
  { version, sealed, profileMs }: { version: number; sealed: Buffer; profileMs: number },
): Promise<boolean> {
  return await tx.any(sql`
    UPDATE wechat_code
    SET stage = 'profile',
      key_version = ${version},
      sealed = ${sealed},
      valid_until = clock_timestamp() + ${profileMs} * interval '1 millisecond',
      expires_at = clock_timestamp() + ${profileMs} * interval '1 millisecond'
    WHERE pk = ${pk}
      AND attempts = ${attempts}
    RETURNING 1`);
}

/** Undefined: erased, or another worker has the row. Answered by wechat_code_pkey. */
export async function findContact(
  tx: Connection,
  { pk, attempts }: Leased,
): Promise<{ contactPk: number; isNew: boolean } | undefined> {
  const [row] = await tx.query<{ contact_pk: number; is_new: boolean }>(sql`
    SELECT contact_pk, is_new
    FROM wechat_code
    WHERE pk = ${pk}
      AND attempts = ${attempts}
      AND stage <> 'done'
      AND contact_pk IS NOT NULL`);
  return row && { contactPk: row.contact_pk, isNew: row.is_new };
}

/** False: the row is gone, or another worker has it. Answered by wechat_code_pkey. */
export async function finishRow(tx: Connection, { pk, attempts }: Leased): Promise<boolean> {
  return await tx.any(sql`
    UPDATE wechat_code
    SET stage = 'done',
      sealed = '',
      contact_pk = NULL,
      leased_until = NULL
    WHERE pk = ${pk}
      AND attempts = ${attempts}
      AND stage <> 'done'
    RETURNING 1`);
}

/** Answers waiting for this contact are moved to the other one. Answered by wechat_code_contact. */
export async function moveRows(tx: Connection, fromPk: number, toPk: number): Promise<void> {
  await tx.query(
    sql`UPDATE wechat_code SET contact_pk = ${toPk}, is_new = false WHERE contact_pk = ${fromPk}`,
  );
}
