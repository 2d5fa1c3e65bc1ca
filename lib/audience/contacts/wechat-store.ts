import { type Connection, query, sql } from "#lib/platform/postgres";

/** Serializes changes per workspace, so that two contacts of the same person are merged only once. */
export async function lockWechatUsers(tx: Connection, workspacePk: number): Promise<void> {
  const name = `wechat-users:${workspacePk}`;
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

export interface UserRow {
  id: string;
  contact_pk: number;
  app_id: string;
  key_version: number;
  sealed: Buffer;
  at: Date;
}

/** Newest first. Answered by contact_wechat_contact. */
export function listUsers(contactPks: readonly number[], tx?: Connection) {
  return query.on(tx).query<UserRow>(sql`
    SELECT id, contact_pk, app_id, key_version, sealed, at
    FROM contact_wechat
    WHERE contact_pk = ANY(${contactPks}::bigint[])
    ORDER BY at DESC, pk DESC`);
}

export interface UserHashes {
  workspacePk: number;
  appId: string;
  openid: Buffer;
  union: Buffer | null;
}

interface KnownUser extends UserRow {
  /** True: found in this account. False: the same person in another account. */
  is_same: boolean;
}

/** By openid, otherwise by unionid. Answered by contact_wechat_openid and contact_wechat_union. */
export function findUser(tx: Connection, { workspacePk, appId, openid, union }: UserHashes) {
  return tx.one<KnownUser>(sql`
    SELECT id, contact_pk, app_id, key_version, sealed, at, true AS is_same
    FROM contact_wechat
    WHERE workspace_pk = ${workspacePk}
      AND openid_hash = ${openid}
      AND app_id = ${appId}
    UNION ALL
    SELECT id, contact_pk, app_id, key_version, sealed, at, false
    FROM contact_wechat
    WHERE workspace_pk = ${workspacePk}
      AND union_hash = ${union}
    ORDER BY is_same DESC, at DESC
    LIMIT 1`);
}

export interface PutUser extends UserHashes {
  id: string;
  contactPk: number;
  version: number;
  sealed: Buffer;
  now: Date;
}

/** Assigns the user to this contact. Answered by contact_wechat_openid. */
export async function putUser(tx: Connection, user: PutUser): Promise<void> {
  const { id, workspacePk, contactPk, appId, openid, union, version, sealed, now } = user;
  await tx.query(sql`
    INSERT INTO contact_wechat (
      id, workspace_pk, contact_pk, app_id, openid_hash, union_hash, key_version, sealed, at
    )
    VALUES (${id}, ${workspacePk}, ${contactPk}, ${appId}, ${openid}, ${union}, ${version}, ${sealed}, ${now})
    ON CONFLICT (workspace_pk, openid_hash, app_id) DO UPDATE
    SET contact_pk = excluded.contact_pk,
      union_hash = coalesce(excluded.union_hash, contact_wechat.union_hash),
      key_version = excluded.key_version,
      sealed = excluded.sealed,
      at = excluded.at`);
}

/** Moves answers, clicks and aliases. Answered by the indexes of the contact. */
export async function moveHistory(
  tx: Connection,
  { workspacePk, fromPk, toPk }: { workspacePk: number; fromPk: number; toPk: number },
): Promise<void> {
  // A contact is one lead per link.
  await tx.query(sql`
    UPDATE contact_answer
    SET contact_pk = ${toPk},
      lead_due = contact_answer.lead_due AND NOT EXISTS (
        SELECT
        FROM contact_answer AS earlier
        WHERE earlier.contact_pk = ${toPk}
          AND earlier.link_pk = contact_answer.link_pk
      )
    WHERE contact_pk = ${fromPk}`);
  await tx.query(sql`
    INSERT INTO contact_visit (contact_pk, at, click_id, link_pk)
    SELECT ${toPk}::bigint, at, click_id, link_pk
    FROM contact_visit
    WHERE contact_pk = ${fromPk}
    ON CONFLICT DO NOTHING`);
  await tx.query(sql`UPDATE contact_wechat SET contact_pk = ${toPk} WHERE contact_pk = ${fromPk}`);
  await tx.query(sql`UPDATE contact_alias SET contact_pk = ${toPk} WHERE contact_pk = ${fromPk}`);
  await tx.query(sql`
    INSERT INTO contact_alias (id, workspace_pk, contact_pk, person_hash)
    SELECT id, workspace_pk, ${toPk}::bigint, person_hash
    FROM contact
    WHERE pk = ${fromPk}
      AND workspace_pk = ${workspacePk}`);
}

/** Makes an answer a lead once its person is known. Answered by contact_answer_contact. */
export async function makeLeadDue(
  tx: Connection,
  contactPk: number,
  linkPk: number,
): Promise<void> {
  await tx.query(sql`
    UPDATE contact_answer
    SET lead_due = true
    WHERE contact_pk = ${contactPk}
      AND link_pk = ${linkPk}
      AND NOT EXISTS (
        SELECT
        FROM contact_answer AS earlier
        WHERE earlier.contact_pk = ${contactPk}
          AND earlier.link_pk = ${linkPk}
          AND earlier.pk < contact_answer.pk
      )`);
}

/** In a restored backup, another contact may have the user. Answered by contact_wechat_openid. */
export async function deleteUser(tx: Connection, workspacePk: number, openidHash: Buffer) {
  const [row] = await tx.query<{ contact_pk: number }>(sql`
    DELETE FROM contact_wechat
    WHERE workspace_pk = ${workspacePk}
      AND openid_hash = ${openidHash}
    RETURNING contact_pk`);
  return row?.contact_pk;
}

/** Other digests of the contact. Answered by contact_alias_contact, contact_wechat_contact. */
export async function listTraces(tx: Connection, contactPk: number) {
  const [row] = await tx.query<{ aliases: Buffer[]; openids: Buffer[] }>(sql`
    SELECT
      ARRAY(SELECT person_hash FROM contact_alias WHERE contact_pk = ${contactPk}) AS aliases,
      ARRAY(SELECT openid_hash FROM contact_wechat WHERE contact_pk = ${contactPk}) AS openids`);
  return row ?? { aliases: [], openids: [] };
}

/** Answered by form_pkey. */
export async function findFormId(tx: Connection, formPk: number): Promise<string> {
  const [row] = await tx.query<{ id: string }>(sql`SELECT id FROM form WHERE pk = ${formPk}`);
  return row?.id ?? "";
}
