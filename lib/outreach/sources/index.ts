/**
 * Sources of recipients: a file, or the recipients of another campaign. A worker adds their rows.
 *
 *     upload ──▶ ready ──start──▶ waiting ──taken──▶ running ──▶ done ────┐
 *                                    ▲ ◀──start── paused ◀─┤ ├──▶ failed ─┤undo
 *                                    └ its worker died ────┘ └▶ cancelled ┴──▶ undoing ──▶ undone
 *
 * Files have phones, so they are encrypted (files.ts). A file is deleted at the end, or some days later if rows were
 * refused, so that people can download and fix these.
 */

import { tryRecipients } from "#lib/outreach/campaigns";
import type { Trial } from "#lib/outreach/campaigns/schema";
import { seesPeople, shownPhone } from "#lib/outreach/people";
import { csvLine, type SentFile, utf8Mark, withExportSlot } from "#lib/platform/downloads";
import { AppError, type ProblemCode } from "#lib/platform/errors";
import { parsePhone } from "#lib/platform/phones";
import { transaction } from "#lib/platform/postgres";
import type { StoredRow } from "#lib/platform/tables";
import { firstRowsShown } from "#lib/platform/tables/schema";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { batchesOf } from "./batches.ts";
import { readFirst, readRows, removeFile } from "./files.ts";
import { sourceWork } from "./jobs.ts";
import { assertMapping, messageIdHeading, recipientOf, tableOf } from "./mapping.ts";
import { assertMayAdd, uploadRecipients } from "./new-sources.ts";
import {
  type ChangeSource,
  type ListSources,
  previewRows,
  type RecipientSource,
  type SourcePreview,
  type SourceState,
} from "./schema.ts";
import {
  type CampaignFacts,
  getCampaignFacts,
  getSourceRow,
  hasClicks,
  isSent,
  listSourceRows,
  markEnded,
  markPaused,
  markWaiting,
  present,
  type SourceRow,
  updateSettings,
} from "./store.ts";
import { findChunk, type RowRefusal } from "./worker-store.ts";

export { fileKeyColumn } from "./files.ts";
export { runSource, sourceJobs } from "./jobs.ts";
export { addAudience, uploadRecipients } from "./new-sources.ts";

export async function getRecipientSource(
  scope: WorkspaceScope,
  id: string,
): Promise<RecipientSource> {
  assertMay(scope, "campaigns.read");
  return present(await getSourceRow(scope, id));
}

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

export async function previewSource(scope: WorkspaceScope, id: string): Promise<SourcePreview> {
  assertMay(scope, "campaigns.write");
  const row = await getSourceRow(scope, id);
  assertState(row, ["ready", "paused"], "previewed");
  return await previewOf(scope, await getCampaignFacts(scope, row.campaign_id), row);
}

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

/** The columns of a call are known, so nobody has to check them before the start. */
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

export async function pauseSource(scope: WorkspaceScope, id: string): Promise<RecipientSource> {
  return await change(scope, id, "recipients.pause", async (tx, row) => {
    assertState(row, ["waiting", "running"], "paused");
    await markPaused(tx, row.pk);
  });
}

export async function cancelSource(scope: WorkspaceScope, id: string): Promise<RecipientSource> {
  const cancelled = await change(scope, id, "recipients.cancel", async (tx, row) => {
    assertState(row, ["ready", "waiting", "running", "paused"], "canceled");
    await markEnded(tx, row.pk, "cancelled");
  });
  await removeFile(id);
  return cancelled;
}

/** Deletes recipients with their links, unless a message was sent or a link clicked. */
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

function refusal(problem: ProblemCode, message: string): AppError {
  return new AppError("conflict", message, { problem });
}

function refusedFile(row: SourceRow): SentFile {
  return withExportSlot({
    name: "fuxi-refused-recipients.csv",
    type: "text/csv; charset=utf-8",
    send: (write) => send(row, write),
  });
}

async function send(row: SourceRow, write: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  const [first] = await readFirst(row, 1);
  const names = Array.from(
    { length: row.width },
    (_, at) => (row.heading && first?.cells[at]) || `Column ${at + 1}`,
  );
  // With its ID, a fixed row replaces the refused one.
  const hasIds = typeof row.mapping?.messageId === "number";
  const own = [...(hasIds ? [] : [messageIdHeading]), "Line", "Reason"];
  await write(Buffer.from(utf8Mark + csvLine([...names, ...own])));
  for await (const found of refusedRows(row)) {
    const lines = found.map(([stored, [line, messageId, , message]]) =>
      lineOf(stored, row.width, [...(hasIds ? [] : [messageId]), String(line), message]),
    );
    await write(Buffer.from(lines.join("")));
  }
}

/** Rows and refusals are both in the order of the file. */
async function* refusedRows(row: SourceRow): AsyncGenerator<[StoredRow, RowRefusal][]> {
  const refusals = refusalsOf(row.pk);
  let next = (await refusals.next()).value;
  for await (const rows of readRows(row, 0)) {
    const found: [StoredRow, RowRefusal][] = [];
    for (const one of rows) {
      if (one.line !== next?.[0]) continue;
      found.push([one, next]);
      next = (await refusals.next()).value;
    }
    yield found;
    if (!next) return;
  }
}

function lineOf({ cells }: StoredRow, width: number, own: readonly string[]): string {
  return csvLine([...Array.from({ length: width }, (_, at) => cells[at] ?? ""), ...own]);
}

async function* refusalsOf(pk: number): AsyncGenerator<RowRefusal, undefined> {
  let after = -1;
  for (;;) {
    const chunk = await findChunk(pk, after);
    if (!chunk) return undefined;
    yield* chunk.refusals;
    after = chunk.firstRow;
  }
}

function obstacleOf({ audience, mapping }: SourceRow): string | null {
  if (audience !== null || typeof mapping?.phone === "number") return null;
  return "Choose the column with the phone numbers.";
}

async function previewOf(
  scope: WorkspaceScope,
  campaign: CampaignFacts,
  row: SourceRow,
): Promise<SourcePreview> {
  const obstacle = obstacleOf(row);
  const head = row.audience === null ? await readFirst(row, previewRows + 1) : [];
  const columns = columnsOf(scope, row, head);
  if (obstacle !== null) return { obstacle, columns, rows: [] };
  const { lines, rows } = row.audience === null ? fileRows(row, head) : await firstBatch(row);
  const trials = await tryRecipients(scope, campaign.id, rows);
  const shown = rows.map((row, at) => ({
    line: lines[at] ?? 0,
    phone: phoneOf(scope, row.phone, campaign),
    ...shownTrial(scope, trials[at]),
  }));
  return { obstacle, columns, rows: shown };
}

function phoneOf(scope: WorkspaceScope, text: string, campaign: CampaignFacts): string | null {
  const phone = parsePhone(text, campaign.defaultCountry);
  return phone ? shownPhone(scope, phone.number) : null;
}

function shownTrial(scope: WorkspaceScope, trial: Trial | undefined) {
  const none = { text: null, country: null, parts: null, code: null, message: null, column: null };
  if (!trial) return none;
  if (!trial.ok) {
    const { code, message, column } = trial;
    return { ...none, code, message, column };
  }
  const { text, country, parts } = trial;
  // defence: preview-hides-texts
  return { ...none, text: seesPeople(scope) ? text : null, country, parts };
}

function columnsOf(
  scope: WorkspaceScope,
  { heading, width }: SourceRow,
  head: readonly StoredRow[],
): SourcePreview["columns"] {
  const rows = head.slice(heading ? 1 : 0, firstRowsShown + (heading ? 1 : 0));
  return Array.from({ length: width }, (_, at) => ({
    name: (heading && head[0]?.cells[at]) || `Column ${at + 1}`,
    samples: seesPeople(scope) ? rows.map(({ cells }) => cells[at] ?? "") : [],
  }));
}

function fileRows(row: SourceRow, head: readonly StoredRow[]) {
  const rows = head.slice(row.heading ? 1 : 0, previewRows + (row.heading ? 1 : 0));
  return { lines: rows.map(({ line }) => line), rows: rows.map((one) => recipientOf(row, one)) };
}

async function firstBatch(row: SourceRow) {
  for await (const { lines, rows } of batchesOf(row)) {
    return { lines: lines.slice(0, previewRows), rows: rows.slice(0, previewRows) };
  }
  return { lines: [], rows: [] };
}
