/** The first rows of a source, tried by the code that adds recipients. Nothing is written. */
import { tryRecipients } from "#lib/outreach/campaigns";
import type { Trial } from "#lib/outreach/campaigns/schema";
import { seesPeople, shownPhone } from "#lib/outreach/people";
import { parsePhone } from "#lib/platform/phones";
import type { StoredRow } from "#lib/platform/tables";
import { firstRowsShown } from "#lib/platform/tables/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { batchesOf } from "./batches.ts";
import { readFirst } from "./files.ts";
import { recipientOf } from "./mapping.ts";
import { previewRows, type SourcePreview } from "./schema.ts";
import type { CampaignFacts, SourceRow } from "./store.ts";

export function obstacleOf({ audience, mapping }: SourceRow): string | null {
  if (audience !== null || typeof mapping?.phone === "number") return null;
  return "Choose the column with the phone numbers.";
}

export async function previewOf(
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
  const none = {
    text: null,
    country: null,
    parts: null,
    code: null,
    message: null,
    column: null,
  };
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
