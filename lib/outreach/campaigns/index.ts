/**
 * Campaigns: a message with one link per recipient. Recipients are added by the thousand, each with
 * a finished message. Their phones and columns are encrypted with keys of the workspace
 * (tenancy/people-keys) and erased some time after the last recipients were added. outreach/sending
 * sends the messages.
 */
import { newId, parseId } from "#lib/basics/ids";
import { getCampaignCheck } from "#lib/links/destination-checks";
import { findDomain } from "#lib/links/hosts";
import { messageWarnings, warningsOf } from "#lib/outreach/messages";
import { seesPeople } from "#lib/outreach/people";
import { partsOf } from "#lib/outreach/segments";
import { summarizeSending } from "#lib/outreach/sending";
import { mapInSlices } from "#lib/platform/batches";
import type { SentFile } from "#lib/platform/downloads";
import { AppError, assertRoom } from "#lib/platform/errors";
import { transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import { withPeopleKeys } from "#lib/tenancy/people-keys";
import { assertIncluded } from "#lib/tenancy/quotas";
import { openTemplates, readRow, render } from "./candidates.ts";
import { assertEditable, editedFields, fieldsOf } from "./editing.ts";
import { maskedPages, messagesFile, recipientsFile } from "./exports.ts";
import { addRows, sampleLinkOf } from "./new-recipients.ts";
import { lookUp, nothingKnown, planOf, type RowSource } from "./plan.ts";
import { listRecipientPage, statusOf } from "./reading.ts";
import { presentMessages, presentOutcomes } from "./results.ts";
import type {
  Campaign,
  CampaignStatus,
  EditCampaign,
  ExportMessages,
  ExportRecipients,
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

export { campaignJobs } from "./upkeep.ts";

const filePageSize = 100;
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
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countCampaigns(tx, workspacePk), campaignsMax, "campaigns", {
      problem: "campaigns_full",
    });
    const created = await insertCampaign(tx, { id: newId("camp"), workspacePk, userPk }, fields);
    if (!created) throw new Error("A campaign was not inserted");
    const details = { name: created.name };
    const action = "campaign.create" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: created.id, details }]);
    return created;
  });
  return await present(scope, row);
}

/** Tests the links only for actors who may create links. Others cannot add recipients anyway. */
async function assertLinks(scope: WorkspaceScope, fields: CampaignFields): Promise<void> {
  if (scope.permissions.has("links.write")) await sampleLinkOf(scope, fields);
}

export async function listCampaigns(
  scope: WorkspaceScope,
  { pageSize, startingAfter }: ListCampaigns,
): Promise<Campaign[]> {
  assertMay(scope, "campaigns.read");
  const rows = await listCampaignRows(readerOf(scope), startingAfter ?? null, pageSize);
  return await Promise.all(rows.map((row) => present(scope, row)));
}

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

/** With recipients, only what their messages do not depend on can change. */
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

export async function deleteCampaign(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "campaigns.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const row = await getRow(scope, id, tx);
    await markDeleted(tx, row.pk);
    const details = { name: row.name };
    const action = "campaign.delete" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details }]);
  });
  return { id };
}

export async function addRecipients(
  scope: WorkspaceScope,
  id: string,
  rows: readonly unknown[],
): Promise<RecipientResult[]> {
  assertMay(scope, "campaigns.write");
  const given = { given: rows, source: { pk: null }, present: presentMessages };
  return await addRows(scope, await getRow(scope, id), given);
}

/** Adds rows of a source, which may refuse to add more. One result per row, in order. */
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

export async function tryRecipients(
  scope: WorkspaceScope,
  id: string,
  rows: readonly unknown[],
): Promise<Trial[]> {
  assertMay(scope, "campaigns.write");
  return await tryRows(scope, await getRow(scope, id), rows);
}

export async function listRecipients(
  scope: WorkspaceScope,
  id: string,
  filter: ListRecipients,
): Promise<Recipient[]> {
  assertMay(scope, "campaigns.read");
  return await listRecipientPage(scope, await getRow(scope, id), filter);
}

export async function exportMessages(
  scope: WorkspaceScope,
  id: string,
  format: ExportMessages,
): Promise<SentFile> {
  // defence: message-export-needs-people
  assertMay(scope, "people.view");
  const row = await getRow(scope, id);
  await recordExport(scope, id);
  return messagesFile(scope, row, format);
}

export async function exportRecipients(
  scope: WorkspaceScope,
  id: string,
  asked: ExportRecipients,
): Promise<SentFile> {
  assertMay(scope, "campaigns.read");
  const row = await getRow(scope, id);
  await recordExport(scope, id);
  return recipientsFile(scope, row, asked);
}

/** Call this before the file starts: after that, no error can be sent. */
async function recordExport({ workspacePk, actor }: WorkspaceScope, id: string): Promise<void> {
  await transaction((tx) =>
    recordAudit(tx, [{ workspacePk, actor, action: "campaign.export", subject: id }]),
  );
}

export async function* pagesOfCampaigns(scope: WorkspaceScope): AsyncGenerator<Campaign[]> {
  let startingAfter: string | undefined;
  do {
    const page = await listCampaigns(scope, { pageSize: filePageSize, startingAfter });
    yield page;
    startingAfter = page.length === filePageSize ? page.at(-1)?.id : undefined;
  } while (startingAfter !== undefined);
}

/** Recipients for a file that may be stored: phones are masked, columns and texts left out. */
export async function* pagesOfRecipients(scope: WorkspaceScope): AsyncGenerator<object[]> {
  assertMay(scope, "campaigns.read");
  let afterId: string | null = null;
  do {
    const rows: CampaignRow[] = await listCampaignRows(readerOf(scope), afterId, filePageSize);
    for (const row of rows) yield* maskedPages(scope, row);
    afterId = rows.length === filePageSize ? (rows.at(-1)?.id ?? null) : null;
  } while (afterId !== null);
}

export async function getCampaignStatus(
  scope: WorkspaceScope,
  id: string,
): Promise<CampaignStatus> {
  assertMay(scope, "campaigns.read");
  const row = await getRow(scope, id);
  const [status, sending, check] = await Promise.all([
    statusOf(row),
    summarizeSending(row.pk),
    getCampaignCheck(scope, id),
  ]);
  return { ...status, sending, destination: check ?? null };
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
    checkDestination: row.check_destination,
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

async function tryRows(
  scope: WorkspaceScope,
  row: CampaignRow,
  given: readonly unknown[],
): Promise<Trial[]> {
  const campaign = openTemplates(row);
  const sampleLink = await sampleLinkOf(scope, row);
  return await withPeopleKeys(scope.workspacePk, async (keys) => {
    const entries = await mapInSlices(given, (one) => readRow(campaign, keys, sampleLink, one));
    // A preview costs nothing and leaves no trace, so without people.view it must not reveal which
    // phones opted out or are recipients.
    // defence: preview-opt-outs-need-people
    const known = seesPeople(scope) ? await lookUp({ campaign, keys }, entries) : nothingKnown;
    const plan = planOf(entries, known);
    return plan.map(({ kind, entry }): Trial => {
      if (kind === "refused") {
        const { code, message, column } = entry;
        return { ok: false, code, message, column };
      }
      const rendered = render(campaign, entry, sampleLink);
      const text = rendered.ok ? rendered.text : "";
      const { country } = entry.phone;
      return { ok: true, text, country, parts: partsOf(text, country) };
    });
  });
}
