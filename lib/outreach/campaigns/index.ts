/**
 * Campaigns: a message with one link per recipient. They are created with their template and destination; recipients are
 * added by the thousand, each with a finished message.
 *
 * Phones and columns of recipients are encrypted with keys of the workspace (tenancy/people-keys), and erased some time
 * after the last recipients were added. outreach/sending sends the messages, where a gateway is set up.
 */

import { newId, parseId } from "#lib/basics/ids";
import { findDomain } from "#lib/links/hosts";
import { messageWarnings, warningsOf } from "#lib/outreach/messages";
import { summarizeSending } from "#lib/outreach/sending";
import type { SentFile } from "#lib/platform/downloads";
import { AppError, assertRoom } from "#lib/platform/errors";
import { transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import { assertIncluded } from "#lib/tenancy/quotas";
import { addRows, sampleLinkOf } from "./adding.ts";
import { openTemplates } from "./candidates.ts";
import { assertEditable, editedFields, fieldsOf } from "./editing.ts";
import { maskedPages, messagesFile } from "./exports.ts";
import type { RowSource } from "./plan.ts";
import { listRecipientPage, statusOf } from "./reading.ts";
import { presentMessages, presentOutcomes } from "./results.ts";
import type {
  Campaign,
  CampaignStatus,
  EditCampaign,
  ExportMessages,
  ListCampaigns,
  ListRecipients,
  NewCampaign,
  Recipient,
  RecipientOutcome,
  RecipientResult,
  Trial,
} from "./schema.ts";
import {
  type CampaignFields,
  type CampaignRow,
  countCampaigns,
  findCampaignRow,
  insertCampaign,
  listCampaignRows,
  markDeleted,
  type Reader,
  updateCampaign,
} from "./store.ts";
import { tryRows } from "./trying.ts";

export { campaignJobs } from "./upkeep.ts";

const filePageSize = 100;
/** Per workspace, without deleted ones. */
const campaignsMax = 10_000;

function readerOf(scope: WorkspaceScope): Reader {
  return { workspacePk: scope.workspacePk, creatorPk: onlyCreatorPk(scope) };
}

export async function createCampaign(scope: WorkspaceScope, body: NewCampaign): Promise<Campaign> {
  assertMay(scope, "campaigns.write");
  assertIncluded(scope, "campaigns");
  const { workspacePk, userPk, actor } = scope;
  if (userPk === null) throw new AppError("forbidden", "Only members can create campaigns.");
  const fields = fieldsOf(body);
  await assertLinks(scope, fields);
  const row = await transaction(async (tx) => {
    // One at a time per workspace, so that the count is exact until the commit.
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countCampaigns(tx, workspacePk), campaignsMax, "campaigns", {
      problem: "campaigns_full",
    });
    const created = await insertCampaign(tx, { id: newId("camp"), workspacePk, userPk }, fields);
    if (!created) throw new Error("A campaign was not inserted");
    const details = { name: created.name };
    await recordAudit(tx, [
      { workspacePk, actor, action: "campaign.create", subject: created.id, details },
    ]);
    return created;
  });
  return await present(scope, row);
}

/** Only who may create links can tell whether a domain or folder is usable; others cannot add recipients either. */
async function assertLinks(scope: WorkspaceScope, fields: CampaignFields): Promise<void> {
  if (scope.permissions.has("links.write")) await sampleLinkOf(scope, fields);
}

/** A page of the campaigns that the actor may see, newest first. */
export async function listCampaigns(
  scope: WorkspaceScope,
  { pageSize, startingAfter }: ListCampaigns,
): Promise<Campaign[]> {
  assertMay(scope, "campaigns.read");
  const rows = await listCampaignRows(readerOf(scope), startingAfter ?? null, pageSize);
  return await Promise.all(rows.map((row) => present(scope, row)));
}

/** Throws not_found. */
export async function getCampaign(scope: WorkspaceScope, id: string): Promise<Campaign> {
  assertMay(scope, "campaigns.read");
  return await present(scope, await getRow(scope, id));
}

async function getRow(
  scope: WorkspaceScope,
  id: string,
  tx?: Parameters<typeof findCampaignRow>[2],
): Promise<CampaignRow> {
  const row =
    parseId("camp", id) === undefined ? undefined : await findCampaignRow(readerOf(scope), id, tx);
  if (row) return row;
  throw new AppError("not_found", `Campaign "${id}" not found in this workspace.`);
}

/** Once it has recipients, only its name and the days of its data. */
export async function editCampaign(
  scope: WorkspaceScope,
  id: string,
  body: EditCampaign,
): Promise<Campaign> {
  assertMay(scope, "campaigns.write");
  const { workspacePk, actor } = scope;
  const before = await getRow(scope, id);
  assertEditable(before, body);
  const planned = editedFields(before, body);
  if (before.last_position === 0) await assertLinks(scope, planned);
  const edited = await transaction(async (tx) => {
    const row = await getRow(scope, id, tx);
    assertEditable(row, body);
    const fields = editedFields(row, body);
    const details = changesOf(row, fields);
    if (Object.keys(details).length === 0) return row;
    await recordAudit(tx, [{ workspacePk, actor, action: "campaign.edit", subject: id, details }]);
    return (await updateCampaign(tx, row.pk, fields)) ?? row;
  });
  return await present(scope, edited);
}

/** Its recipients are deleted too; their links keep working. */
export async function deleteCampaign(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "campaigns.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const row = await getRow(scope, id, tx);
    await markDeleted(tx, row.pk);
    const details = { name: row.name };
    await recordAudit(tx, [
      { workspacePk, actor, action: "campaign.delete", subject: id, details },
    ]);
  });
  return { id };
}

/** Adds recipients with their links and messages; one result per row, in order. */
export async function addRecipients(
  scope: WorkspaceScope,
  id: string,
  rows: readonly unknown[],
): Promise<RecipientResult[]> {
  assertMay(scope, "campaigns.write");
  const given = { given: rows, source: { pk: null }, present: presentMessages };
  return await addRows(scope, await getRow(scope, id), given);
}

/** The same for rows of a source, which is noted with them and may refuse to add more. */
export async function addSourceRecipients(
  scope: WorkspaceScope,
  id: string,
  rows: readonly unknown[],
  source: RowSource,
): Promise<RecipientOutcome[]> {
  assertMay(scope, "campaigns.write");
  const given = { given: rows, source, present: presentOutcomes };
  return await addRows(scope, await getRow(scope, id), given);
}

/** What would become of rows. Nothing is written. */
export async function tryRecipients(
  scope: WorkspaceScope,
  id: string,
  rows: readonly unknown[],
): Promise<Trial[]> {
  assertMay(scope, "campaigns.write");
  return await tryRows(scope, await getRow(scope, id), rows);
}

/** A page of recipients, in the order of adding. */
export async function listRecipients(
  scope: WorkspaceScope,
  id: string,
  filter: ListRecipients,
): Promise<Recipient[]> {
  assertMay(scope, "campaigns.read");
  return await listRecipientPage(scope, await getRow(scope, id), filter);
}

/** The finished messages as a file, for those who may see people's data. */
export async function exportMessages(
  scope: WorkspaceScope,
  id: string,
  format: ExportMessages,
): Promise<SentFile> {
  // defence: message-export-needs-people
  assertMay(scope, "people.view");
  const { workspacePk, actor } = scope;
  const row = await getRow(scope, id);
  // Before the file: once it has started, no error can be sent.
  await transaction((tx) =>
    recordAudit(tx, [{ workspacePk, actor, action: "campaign.export", subject: id }]),
  );
  return messagesFile(scope, row, format);
}

/** All campaigns that the actor may see, for a file. */
export async function* pagesOfCampaigns(scope: WorkspaceScope): AsyncGenerator<Campaign[]> {
  let startingAfter: string | undefined;
  do {
    const page = await listCampaigns(scope, { pageSize: filePageSize, startingAfter });
    yield page;
    startingAfter = page.length === filePageSize ? page.at(-1)?.id : undefined;
  } while (startingAfter !== undefined);
}

/** Their recipients for a file, which may be stored: phones are masked, columns and texts left out. */
export async function* pagesOfRecipients(scope: WorkspaceScope): AsyncGenerator<object[]> {
  assertMay(scope, "campaigns.read");
  let afterId: string | null = null;
  do {
    const rows: CampaignRow[] = await listCampaignRows(readerOf(scope), afterId, filePageSize);
    for (const row of rows) yield* maskedPages(scope, row);
    afterId = rows.length === filePageSize ? (rows.at(-1)?.id ?? null) : null;
  } while (afterId !== null);
}

/** Counts and costs. */
export async function getCampaignStatus(
  scope: WorkspaceScope,
  id: string,
): Promise<CampaignStatus> {
  assertMay(scope, "campaigns.read");
  const row = await getRow(scope, id);
  const [status, sending] = await Promise.all([statusOf(row), summarizeSending(row.pk)]);
  return { ...status, sending };
}

async function present(scope: WorkspaceScope, row: CampaignRow): Promise<Campaign> {
  const { domain } = row.link;
  const found = await findDomain(scope, typeof domain === "string" ? domain : undefined);
  const isShared = found !== undefined && found.workspacePk === undefined;
  const codes = new Set(
    openTemplates(row).variants.flatMap((pieces) => warningsOf(pieces, isShared)),
  );
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    consentSource: row.consent_source,
    consentOn: row.consent_on,
    senderName: row.sender_name,
    optOutText: row.opt_out_text,
    variants: row.variants,
    destination: row.destination,
    link: row.link,
    linkDays: row.link_days,
    linkScheme: row.link_scheme,
    defaultCountry: row.default_country,
    columns: row.columns,
    prices: row.prices,
    personalDataDays: row.people_days,
    recipients: row.recipients,
    refused: row.refused,
    createdAt: row.created_at.toISOString(),
    lastAddedAt: row.added_at?.toISOString() ?? null,
    erasedAt: row.erased_at?.toISOString() ?? null,
    warnings: [...codes].map((code) => ({ code, message: messageWarnings[code] })),
  };
}
