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
export async function deleteOfPhone(
  tx: Connection,
  workspacePk: number,
  phoneHash: Buffer,
): Promise<void> {
  await tx.query(sql`
    DELETE FROM phone_code
    WHERE workspace_pk = ${workspacePk}
      AND phone_hash = ${phoneHash}`);
}
