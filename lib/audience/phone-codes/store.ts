import { type Connection, query, sql } from "#lib/platform/postgres";

/** Stored, so never rename one. */
export type PhoneCodeState = "due" | "attempting" | "sent" | "failed" | "optedOut";

export interface NewPhoneCode {
  id: string;
  workspacePk: number;
  formPk: number;
  formVersion: number;
  linkPk: number;
  phoneHash: Buffer;
  version: number;
  sealed: Buffer;
  language: string;
  now: Date;
  expiresAt: Date;
}

export async function insertRow(tx: Connection, row: NewPhoneCode): Promise<void> {
  const { id, workspacePk, formPk, formVersion, linkPk, phoneHash } = row;
  const { version, sealed, language, now, expiresAt } = row;
  await tx.query(sql`
    INSERT INTO phone_code (
      id, workspace_pk, form_pk, form_version, link_pk, phone_hash, key_version, sealed, language, due_at, asked_at,
      expires_at
    )
    VALUES (
      ${id}, ${workspacePk}, ${formPk}, ${formVersion}, ${linkPk}, ${phoneHash}, ${version}, ${sealed}, ${language},
      ${now}, ${now}, ${expiresAt}
    )`);
}

/** Where a code can be entered: at the form of the link that asked for the phone. */
export interface CodePlace {
  workspacePk: number;
  formPk: number;
  linkPk: number;
}

export interface PhoneCodeRow {
  pk: number;
  id: string;
  form_version: number;
  key_version: number;
  sealed: Buffer;
  state: PhoneCodeState;
  code_hash: Buffer | null;
  tries: number;
  asked_at: Date;
}

/** A code that can still be entered. Answered by phone_code_id_key. */
export function findOpen(
  { workspacePk, formPk, linkPk }: CodePlace,
  id: string,
  { now, triesMax }: { now: Date; triesMax: number },
) {
  return query.one<PhoneCodeRow>(sql`
    SELECT pk, id, form_version, key_version, sealed, state, code_hash, tries, asked_at
    FROM phone_code
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
      AND form_pk = ${formPk}
      AND link_pk = ${linkPk}
      AND tries < ${triesMax}
      AND expires_at > ${now}`);
}

/** Counts a try before comparing, so that concurrent guesses do not get extra tries. */
export async function countTry(
  { workspacePk, formPk, linkPk }: CodePlace,
  id: string,
  { now, triesMax }: { now: Date; triesMax: number },
): Promise<PhoneCodeRow | undefined> {
  const [row] = await query<PhoneCodeRow>(
    // Answered by phone_code_id_key.
    // defence: phone-code-tries
    sql`
      UPDATE phone_code
      SET tries = tries + 1
      WHERE id = ${id}
        AND workspace_pk = ${workspacePk}
        AND form_pk = ${formPk}
        AND link_pk = ${linkPk}
        AND tries < ${triesMax}
        AND expires_at > ${now}
      RETURNING pk, id, form_version, key_version, sealed, state, code_hash, tries, asked_at`,
  );
  return row;
}

/** Makes another code due. False: too early after the last request. Answered by phone_code_pkey. */
export async function renewRow(
  tx: Connection,
  pk: number,
  { now, askedBefore, expiresAt }: { now: Date; askedBefore: Date; expiresAt: Date },
): Promise<boolean> {
  return await tx.any(sql`
    UPDATE phone_code
    SET state = 'due',
      due_at = ${now},
      asked_at = ${now},
      expires_at = ${expiresAt}
    WHERE pk = ${pk}
      AND asked_at <= ${askedBefore}
    RETURNING 1`);
}

/** Uses the code. False: it was used, replaced or erased meanwhile. Answered by phone_code_pkey. */
export async function takeRow(tx: Connection, pk: number, codeHash: Buffer): Promise<boolean> {
  return await tx.any(sql`
    DELETE FROM phone_code
    WHERE pk = ${pk}
      AND code_hash = ${codeHash}
    RETURNING 1`);
}

/** Answered by phone_code_phone. */
export async function deleteOfPhone(tx: Connection, workspacePk: number, phoneHash: Buffer) {
  await tx.query(sql`
    DELETE FROM phone_code
    WHERE workspace_pk = ${workspacePk}
      AND phone_hash = ${phoneHash}`);
}

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

/** Marks a due code as being sent. Two workers never get the same one. */
export async function claimDue(tx: Connection, { perWorkspace, lostMs }: ClaimLimits) {
  // Answered by phone_code_due, and by phone_code_attempting for each of its rows; then by form_pkey.
  // defence: phone-code-attempt-recorded
  // defence: stopped-codes-not-sent
  const [row] = await tx.query<ClaimedRow>(sql`
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
      form.id AS form_id, form.content ->> 'title' AS title, form.gateway_pk`);
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
