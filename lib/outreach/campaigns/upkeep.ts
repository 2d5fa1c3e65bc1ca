/**
 * What happens to campaigns by themselves, in steps small enough not to block others: the rows of deleted campaigns are
 * deleted, personal data is erased at its end, and data of older keys is encrypted again. Each step finds what is left,
 * so after a crash, or in two workers, nothing is done twice.
 */
import { z } from "zod";
import { sealedCustomers } from "#lib/analytics/customers";
import { sealedContacts } from "#lib/audience/contacts";
import { sealedPhoneCodes } from "#lib/audience/phone-codes";
import { sealedWechatCodes } from "#lib/audience/wechat-codes";
import { sealedOptOuts } from "#lib/outreach/opt-outs";
import { defineJob } from "#lib/platform/queue";
import {
  dropVersion,
  listRotated,
  type PeopleKeys,
  resealTable,
  useVersion,
  withPeopleKeys,
} from "#lib/tenancy/people-keys";
import {
  deleteEmpty,
  deleteRecipientBatch,
  eraseBatch,
  listCampaignsOf,
  listDeleted,
  listErasing,
  markErased,
  markErasing,
  recipientsUseVersion,
  resealBatch,
} from "./upkeep-store.ts";

const tendEveryMs = 60_000;
const rowsPerStep = 2_000;

const resealedTables = [sealedOptOuts, ...sealedCustomers, ...sealedContacts];
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

/** The jobs of this module, for a worker. */
export const campaignJobs = [
  defineJob({
    name: "campaigns.tend",
    schema: z.object({}),
    handle: () => tendCampaigns(),
    everyMs: tendEveryMs,
  }),
];
