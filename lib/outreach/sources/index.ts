/**
 * Sources of recipients: a file, or the recipients of another campaign. A worker adds their rows.
 *
 *     upload ──▶ ready ──start──▶ waiting ──taken──▶ running ──▶ done ────┐
 *                                    ▲ ◀──start── paused ◀─┤ ├──▶ failed ─┤undo
 *                                    └ its worker died ────┘ └▶ cancelled ┴──▶ undoing ──▶ undone
 *
 * Files have phones: each is on disk only encrypted, with a key of its own, which is sealed in its row (files.ts). It is
 * deleted at the end, or some days later where rows were refused, so that they can be downloaded and mended.
 */
import type { SentFile } from "#lib/platform/downloads";
import { AppError, type ProblemCode } from "#lib/platform/errors";
import { transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { assertMayAdd, uploadRecipients } from "./creating.ts";
import { readFirst, removeFile } from "./files.ts";
import { sourceWork } from "./jobs.ts";
import { assertMapping, tableOf } from "./mapping.ts";
import { present } from "./present.ts";
import { obstacleOf, previewOf } from "./preview.ts";
import { refusedFile } from "./refused.ts";
import type {
  ChangeSource,
  ListSources,
  RecipientSource,
  SourcePreview,
  SourceState,
} from "./schema.ts";
import {
  getCampaignFacts,
  getSourceRow,
  hasClicks,
  isSent,
  listSourceRows,
  markEnded,
  markPaused,
  markWaiting,
  type SourceRow,
  updateSettings,
} from "./store.ts";

export { addAudience, uploadRecipients } from "./creating.ts";
export { fileKeyColumn } from "./files.ts";
export { runSource, sourceJobs } from "./jobs.ts";

/** Throws not_found. */
export async function getRecipientSource(
  scope: WorkspaceScope,
  id: string,
): Promise<RecipientSource> {
  assertMay(scope, "campaigns.read");
  return present(await getSourceRow(scope, id));
}

/** A page of the sources of a campaign, newest first. */
export async function listRecipientSources(
  scope: WorkspaceScope,
  campaignId: string,
  { pageSize, startingAfter }: ListSources,
): Promise<RecipientSource[]> {
  assertMay(scope, "campaigns.read");
  const { id } = await getCampaignFacts(scope, campaignId);
  const rows = await listSourceRows(scope, id, startingAfter ?? null, pageSize);
  return rows.map(present);
}

/** Which column is what, before the start. */
export async function changeSource(
  scope: WorkspaceScope,
  id: string,
  { heading, mapping }: ChangeSource,
): Promise<RecipientSource> {
  assertMay(scope, "campaigns.write");
  const found = await getSourceRow(scope, id);
  const campaign = await getCampaignFacts(scope, found.campaign_id);
  await transaction(async (tx) => {
    const row = await getSourceRow(scope, id, tx);
    assertState(row, ["ready"], "changed");
    if (row.audience !== null) {
      throw new AppError("conflict", "Only the columns of a file can be mapped.");
    }
    if (mapping) assertMapping(mapping, row.width, campaign);
    const changed = { heading: heading ?? row.heading, mapping: mapping ?? row.mapping };
    if (changed.heading && row.records === 1) throw refusal("heading_alone", oneRow);
    await updateSettings(tx, { pk: row.pk, ...changed });
  });
  return present(await getSourceRow(scope, id));
}

const oneRow = "The file has only one row, so it can’t be the header.";

/** The first rows as messages, and why others would be refused. */
export async function previewSource(scope: WorkspaceScope, id: string): Promise<SourcePreview> {
  assertMay(scope, "campaigns.write");
  const row = await getSourceRow(scope, id);
  assertState(row, ["ready", "paused"], "previewed");
  return await previewOf(scope, await getCampaignFacts(scope, row.campaign_id), row);
}

/** Lets a worker add the recipients, also after a pause. */
export async function startSource(scope: WorkspaceScope, id: string): Promise<RecipientSource> {
  assertMay(scope, "campaigns.write");
  await getSourceRow(scope, id);
  await assertMayAdd(scope);
  return await change(scope, id, "recipients.start", async (tx, row) => {
    assertState(row, ["ready", "paused"], "started");
    const obstacle = obstacleOf(row);
    if (obstacle !== null) throw new AppError("unprocessable_entity", obstacle);
    await markWaiting(tx, row.pk, scope, "waiting");
  });
}

/** Adds the rows of a call in the background. Nothing is guessed, so nobody needs to look at the columns first. */
export async function startRecipients(
  scope: WorkspaceScope,
  campaignId: string,
  rows: readonly unknown[],
): Promise<RecipientSource> {
  assertMay(scope, "campaigns.write");
  const { text, mapping } = tableOf(rows, await getCampaignFacts(scope, campaignId));
  const options = { name: "API", delimiter: "," } as const;
  const { id } = await uploadRecipients(scope, campaignId, text.stream(), options);
  await changeSource(scope, id, { heading: true, mapping });
  return await startSource(scope, id);
}

/** What was added stays. */
export async function pauseSource(scope: WorkspaceScope, id: string): Promise<RecipientSource> {
  return await change(scope, id, "recipients.pause", async (tx, row) => {
    assertState(row, ["waiting", "running"], "paused");
    await markPaused(tx, row.pk);
  });
}

/** What was added stays; the file is deleted. */
export async function cancelSource(scope: WorkspaceScope, id: string): Promise<RecipientSource> {
  const cancelled = await change(scope, id, "recipients.cancel", async (tx, row) => {
    assertState(row, ["ready", "waiting", "running", "paused"], "canceled");
    await markEnded(tx, row.pk, "cancelled");
  });
  await removeFile(id);
  return cancelled;
}

/** Deletes the recipients that it added, with their links. Not once a message was sent or a link clicked. */
export async function undoSource(scope: WorkspaceScope, id: string): Promise<RecipientSource> {
  return await change(scope, id, "recipients.undo", async (tx, row) => {
    assertMay(scope, "links.write");
    assertState(row, ["paused", "done", "failed", "cancelled"], "undone");
    if (await hasClicks(tx, row)) {
      const message = "A recipient has already clicked, so this can’t be undone.";
      throw refusal("recipients_clicked", message);
    }
    if (await isSent(tx, row)) {
      const message = "Messages have already been sent or scheduled, so this can’t be undone.";
      throw refusal("recipients_sent", message);
    }
    await markWaiting(tx, row.pk, scope, "undoing");
  });
}

type Change = (tx: Parameters<typeof markPaused>[0], row: SourceRow) => Promise<void>;

async function change(
  scope: WorkspaceScope,
  id: string,
  action: "recipients.start" | "recipients.pause" | "recipients.cancel" | "recipients.undo",
  work: Change,
): Promise<RecipientSource> {
  assertMay(scope, "campaigns.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const row = await getSourceRow(scope, id, tx);
    await work(tx, row);
    const details = { name: row.name };
    await recordAudit(tx, [{ workspacePk, actor, action, subject: row.campaign_id, details }]);
  });
  const source = present(await getSourceRow(scope, id));
  if (source.state === "waiting" || source.state === "undoing") await sourceWork.enqueue(id);
  return source;
}

/** The refused rows with their reasons, for those who may see people's data. */
export async function openRefusedRows(scope: WorkspaceScope, id: string): Promise<SentFile> {
  assertMay(scope, "people.view");
  const row = await getSourceRow(scope, id);
  if (
    row.audience === null &&
    row.refused > 0 &&
    ["done", "failed", "paused"].includes(row.state)
  ) {
    await readFirst(row, 1);
    return refusedFile(row);
  }
  throw new AppError("conflict", "These recipients have no refused rows to download.");
}

function assertState({ state }: SourceRow, allowed: readonly SourceState[], verb: string): void {
  if (allowed.includes(state)) return;
  throw refusal("source_state", `These recipients can’t be ${verb} (status: ${state}).`);
}

/** A conflict that the dashboard translates. */
function refusal(problem: ProblemCode, message: string): AppError {
  return new AppError("conflict", message, { problem });
}
