import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { holdVersion, type PeopleKeys } from "#lib/tenancy/people-keys";

interface Pk {
  pk: number;
}

const pksOf = (rows: readonly Pk[]) => rows.map(({ pk }) => pk);

/** Answered by campaign_deleted. */
export async function listDeleted(): Promise<number[]> {
  return pksOf(await query<Pk>(sql`SELECT pk FROM campaign WHERE deleted_at IS NOT NULL`));
}

/** Returns the number of deleted rows. */
export async function deleteRecipientBatch(campaignPk: number, max: number): Promise<number> {
  // Answered by campaign_recipient_pkey.
  const rows = await query(sql`
    DELETE FROM campaign_recipient
    WHERE ctid = ANY(ARRAY(
      SELECT ctid
      FROM campaign_recipient
      WHERE campaign_pk = ${campaignPk}
      LIMIT ${max}
    ))
    RETURNING 1`);
  return rows.length;
}

export async function deleteEmpty(pk: number): Promise<void> {
  await query(sql`DELETE FROM campaign WHERE pk = ${pk} AND deleted_at IS NOT NULL`);
}

/** From now on, no recipients are added to campaigns whose personal data is due. */
export async function markErasing(): Promise<void> {
  // Answered by campaign_kept.
  await query(sql`
    UPDATE campaign
    SET erasing_at = now()
    WHERE erased_at IS NULL
      AND erasing_at IS NULL
      AND added_at < now() - people_days * interval '1 day'`);
}

export async function listErasing(): Promise<number[]> {
  return pksOf(
    await query<Pk>(
      // Answered by campaign_kept.
      sql`SELECT pk FROM campaign WHERE erased_at IS NULL AND erasing_at IS NOT NULL`,
    ),
  );
}

/** Returns the position to continue after; undefined: there are no more. */
export async function eraseBatch(
  campaignPk: number,
  after: number,
  max: number,
): Promise<number | undefined> {
  // Answered by campaign_recipient_pkey.
  const rows = await query<{ position: number }>(sql`
    UPDATE campaign_recipient
    SET sealed = NULL, key_version = NULL, phone_hash = NULL
    WHERE campaign_pk = ${campaignPk}
      AND position = ANY(ARRAY(
        SELECT position
        FROM campaign_recipient
        WHERE campaign_pk = ${campaignPk}
          AND position > ${after}
          AND phone_hash IS NOT NULL
        ORDER BY position
        LIMIT ${max}
      ))
    RETURNING position`);
  return lastOf(rows);
}

function lastOf(rows: readonly { position: number }[]): number | undefined {
  return rows.length === 0 ? undefined : Math.max(...rows.map(({ position }) => position));
}

export async function markErased(pk: number): Promise<void> {
  await query(sql`UPDATE campaign SET erased_at = now() WHERE pk = ${pk} AND erased_at IS NULL`);
}

export async function listCampaignsOf(workspacePk: number): Promise<number[]> {
  // Once after a rotation; deleted ones too.
  return pksOf(
    await query<Pk>(sql`SELECT pk FROM campaign WHERE workspace_pk = ${workspacePk} ORDER BY pk`),
  );
}

interface SealedRow {
  position: number;
  id: string;
  version: number;
  sealed: Buffer;
}

/** Encrypts rows of older versions again. Returns the position to continue after; undefined: there are no more. */
export async function resealBatch(
  keys: PeopleKeys,
  campaignPk: number,
  after: number,
  max: number,
): Promise<number | undefined> {
  return await transaction(async (tx) => {
    await holdVersion(tx, keys);
    // Answered by campaign_recipient_pkey.
    const rows = await tx.query<SealedRow>(sql`
      SELECT position, id, key_version AS version, sealed
      FROM campaign_recipient
      WHERE campaign_pk = ${campaignPk}
        AND position > ${after}
        AND key_version <> ${keys.version}
      ORDER BY position
      LIMIT ${max}
      FOR UPDATE`);
    if (rows.length > 0) await updateSealed(tx, keys, campaignPk, rows);
    return lastOf(rows);
  });
}

async function updateSealed(
  tx: Connection,
  keys: PeopleKeys,
  campaignPk: number,
  rows: readonly SealedRow[],
): Promise<void> {
  const again = rows.map(({ id, ...value }) => keys.seal(keys.unseal(value, id), id));
  // Answered by campaign_recipient_pkey.
  await tx.query(sql`
    UPDATE campaign_recipient
    SET sealed = given.sealed, key_version = ${keys.version}
    FROM unnest(
      ${rows.map(({ position }) => position)}::int[],
      ${again}::bytea[]
    ) AS given (position, sealed)
    WHERE campaign_recipient.campaign_pk = ${campaignPk}
      AND campaign_recipient.position = given.position`);
}

export async function recipientsUseVersion(
  tx: Connection,
  workspacePk: number,
  version: number,
): Promise<boolean> {
  // Once after a rotation.
  return await tx.any(sql`
    SELECT 1
    FROM campaign
    JOIN campaign_recipient ON campaign_recipient.campaign_pk = campaign.pk
    WHERE campaign.workspace_pk = ${workspacePk}
      AND campaign_recipient.key_version = ${version}
    LIMIT 1`);
}
