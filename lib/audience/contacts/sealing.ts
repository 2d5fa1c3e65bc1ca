/** The SQL of what is encrypted: writing it again with the newest version of the keys. */
import { phoneCodesUseVersion } from "#lib/audience/phone-codes";
import { wechatCodesUseVersion } from "#lib/audience/wechat-codes";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { holdVersion, type PeopleKeys } from "#lib/tenancy/people-keys";

interface SealedRow {
  pk: number;
  bound: string;
  version: number;
  sealed: Buffer;
}

const sealedTables = ["contact", "contact_answer", "contact_wechat"] as const;

/** Answered by contact_list, contact_answer_workspace, or contact_wechat_openid. */
async function listOlder(
  tx: Connection,
  table: "contact" | "contact_answer" | "contact_wechat",
  { workspacePk, version }: PeopleKeys,
  max: number,
): Promise<SealedRow[]> {
  const text = `
    SELECT pk, id::text AS bound, key_version AS version, sealed
    FROM ${table}
    WHERE workspace_pk = $1
      AND key_version <> $2
    ORDER BY pk
    LIMIT $3
    FOR UPDATE`;
  return await query<SealedRow>({ text, values: [workspacePk, version, max] }, tx);
}

/** Answered by the primary key. */
async function updateSealed(
  tx: Connection,
  table: "contact" | "contact_answer" | "contact_wechat",
  version: number,
  rows: readonly { pk: number; sealed: Buffer }[],
): Promise<void> {
  const text = `
    UPDATE ${table}
    SET sealed = given.sealed,
      key_version = $1
    FROM unnest($2::bigint[], $3::bytea[]) AS given (pk, sealed)
    WHERE ${table}.pk = given.pk`;
  const values = [version, rows.map(({ pk }) => pk), rows.map(({ sealed }) => sealed)];
  await query({ text, values }, tx);
}

/** Encrypts what has an older version with the newest one. Returns the number of rows. */
export async function resealContacts(keys: PeopleKeys, rowsMax: number): Promise<number> {
  return await transaction(async (tx) => {
    await holdVersion(tx, keys);
    let count = 0;
    for (const table of sealedTables) {
      const older = await listOlder(tx, table, keys, rowsMax);
      if (older.length === 0) continue;
      const again = older.map((row) => ({
        pk: row.pk,
        sealed: keys.seal(keys.unseal(row, row.bound), row.bound),
      }));
      await updateSealed(tx, table, keys.version, again);
      count += again.length;
    }
    return count;
  });
}

export async function contactsUseVersion(
  tx: Connection,
  workspacePk: number,
  version: number,
): Promise<boolean> {
  const rows = await query(
    // Answered by contact_list, contact_answer_workspace and contact_wechat_openid: only after a rotation.
    sql`
      SELECT 1
      WHERE EXISTS (
        SELECT FROM contact WHERE workspace_pk = ${workspacePk} AND key_version = ${version}
      ) OR EXISTS (
        SELECT FROM contact_answer WHERE workspace_pk = ${workspacePk} AND key_version = ${version}
      ) OR EXISTS (
        SELECT FROM contact_wechat WHERE workspace_pk = ${workspacePk} AND key_version = ${version}
      )`,
    tx,
  );
  return (
    rows.length > 0 ||
    (await phoneCodesUseVersion(tx, workspacePk, version)) ||
    (await wechatCodesUseVersion(tx, workspacePk, version))
  );
}
