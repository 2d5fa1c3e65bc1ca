/**
 * Deletes the rows of deleted campaigns, erases personal data when it is due, and encrypts data of
 * older keys again, in steps small enough not to block others. Each step looks for what is left, so
 * nothing is done twice after a crash or in two workers.
 */
import { z } from "zod";
import { sealedCustomers } from "#lib/analytics/customers";
import { sealedContacts } from "#lib/audience/contacts";
import { sealedPhoneCodes } from "#lib/audience/phone-codes";
import { sealedWechatCodes } from "#lib/audience/wechat-codes";
import { sealedDemoMessages } from "#lib/outreach/demo-outbox";
import { sealedOptOuts } from "#lib/outreach/opt-outs";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import {
  dropVersion,
  holdVersion,
  listRotated,
  type PeopleKeys,
  resealTable,
  useVersion,
  withPeopleKeys,
} from "#lib/tenancy/people-keys";

const tendEveryMs = 60_000;
const rowsPerStep = 2_000;

const resealedTables = [sealedOptOuts, sealedDemoMessages, ...sealedCustomers, ...sealedContacts];
const keptTables = [...resealedTables, sealedPhoneCodes, sealedWechatCodes];

/** Safe to run twice, and concurrently. */
export async function tendCampaigns(rows = rowsPerStep): Promise<void> {
  await removeDeleted(rows);
  await eraseDue(rows);
  await resealRotated(rows);
}

async function removeDeleted(rows: number): Promise<void> {
  for (const pk of await listDeleted()) {
    while ((await deleteRecipientBatch(pk, rows)) > 0);
    await deleteEmpty(pk);
  }
}

async function eraseDue(rows: number): Promise<void> {
  await markErasing();
  for (const pk of await listErasing()) {
    let position: number | undefined = 0;
    while (position !== undefined) position = await eraseBatch(pk, position, rows);
    await markErased(pk);
  }
}

async function resealRotated(rows: number): Promise<void> {
  for (const { workspacePk, version } of await listRotated()) {
    await withPeopleKeys(workspacePk, (keys) => resealAll(keys, rows));
    await dropVersion(
      workspacePk,
      version,
      async (tx) =>
        (await useVersion(tx, keptTables, workspacePk, version)) ||
        (await recipientsUseVersion(tx, workspacePk, version)),
    );
  }
}

async function resealAll(keys: PeopleKeys, rows: number): Promise<void> {
  for (const table of resealedTables) while ((await resealTable(keys, table, rows)) > 0);
  for (const pk of await listCampaignsOf(keys.workspacePk)) {
    let position: number | undefined = 0;
    while (position !== undefined) position = await resealBatch(keys, pk, position, rows);
  }
}

export const campaignJobs = [
  defineJob({
    name: "campaigns.tend",
    schema: z.object({}),
    handle: () => tendCampaigns(),
    everyMs: tendEveryMs,
  }),
];

interface Pk {
  pk: number;
}

const pksOf = (rows: readonly Pk[]) => rows.map(({ pk }) => pk);

/** Answered by campaign_deleted. */
async function listDeleted(): Promise<number[]> {
  return pksOf(await query<Pk>(sql`SELECT pk FROM campaign WHERE deleted_at IS NOT NULL`));
}

async function deleteRecipientBatch(campaignPk: number, max: number): Promise<number> {
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

async function deleteEmpty(pk: number): Promise<void> {
  await query(sql`DELETE FROM campaign WHERE pk = ${pk} AND deleted_at IS NOT NULL`);
}

async function markErasing(): Promise<void> {
  // Answered by campaign_kept.
  await query(sql`
    UPDATE campaign
    SET erasing_at = now()
    WHERE erased_at IS NULL
      AND erasing_at IS NULL
      AND added_at < now() - people_days * interval '1 day'`);
}

async function listErasing(): Promise<number[]> {
  return pksOf(
    await query<Pk>(
      // Answered by campaign_kept.
      sql`SELECT pk FROM campaign WHERE erased_at IS NULL AND erasing_at IS NOT NULL`,
    ),
  );
}

/** Returns the position to continue after; undefined at the end. */
async function eraseBatch(
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

async function markErased(pk: number): Promise<void> {
  await query(sql`UPDATE campaign SET erased_at = now() WHERE pk = ${pk} AND erased_at IS NULL`);
}

async function listCampaignsOf(workspacePk: number): Promise<number[]> {
  // Runs once after a rotation, also for deleted campaigns.
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

/** Returns the position to continue after; undefined at the end. */
async function resealBatch(
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

async function recipientsUseVersion(
  tx: Connection,
  workspacePk: number,
  version: number,
): Promise<boolean> {
  return await tx.any(sql`
    SELECT 1
    FROM campaign
    JOIN campaign_recipient ON campaign_recipient.campaign_pk = campaign.pk
    WHERE campaign.workspace_pk = ${workspacePk}
      AND campaign_recipient.key_version = ${version}
    LIMIT 1`);
}
