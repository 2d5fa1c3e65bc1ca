/** Maps the columns of a file to recipients. */

import { recipientBody } from "#lib/outreach/campaigns/schema";
import { AppError, issueMessage } from "#lib/platform/errors";
import { parsePhone } from "#lib/platform/phones";
import type { StoredRow } from "#lib/platform/tables";
import type { SourceMapping } from "./schema.ts";
import type { CampaignFacts, SourceRow } from "./store.ts";

export const messageIdHeading = "Message ID";
const phoneHeading = /phone|mobile|cell|msisdn|^tel|手机|电话|号码/i;
const messageIdHeadings = new Set(["messageid", "message id", "message_id", "消息 id", "消息id"]);

const folded = (text: string) => text.trim().toLowerCase();

export function guessMapping(
  heading: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  { columns, defaultCountry }: CampaignFacts,
): SourceMapping {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const phones = Array.from(
    { length: width },
    (_, at) => rows.filter((row) => parsePhone(row[at] ?? "", defaultCountry)).length,
  );
  const best = phones.indexOf(Math.max(...phones));
  const named = heading?.findIndex((name) => phoneHeading.test(name)) ?? -1;
  const phone = named >= 0 ? named : best;
  const messageId = heading?.findIndex((name) => messageIdHeadings.has(folded(name))) ?? -1;
  const found = columns.flatMap(({ name }) => {
    const at = heading?.findIndex((one) => folded(one) === folded(name)) ?? -1;
    return at < 0 ? [] : [[name, at] as const];
  });
  return {
    phone: phone < 0 ? null : phone,
    messageId: messageId < 0 ? null : messageId,
    columns: Object.fromEntries(found),
  };
}

export function assertMapping(
  { phone, messageId, columns }: SourceMapping,
  width: number,
  campaign: CampaignFacts,
): void {
  const numbers = [phone, messageId, ...Object.values(columns)];
  const outside = numbers.find((at) => at !== null && at >= width);
  if (outside !== undefined) {
    throw invalid(`mapping: The file has no column ${outside}. The first one is 0.`);
  }
  if (phone !== null && phone === messageId) {
    throw invalid("mapping: Choose another column for messageId than for phone.");
  }
  const names = new Set(campaign.columns.map(({ name }) => name));
  const unknown = Object.keys(columns).find((name) => !names.has(name));
  if (unknown === undefined) return;
  throw invalid(`mapping: The campaign has no column ${unknown}. Remove it, or add the column.`);
}

/** The rows of a call as a file, with its columns in `mapping`. Throws a 422 that names the row. */
export function tableOf(
  rows: readonly unknown[],
  { columns }: CampaignFacts,
): { text: Blob; mapping: SourceMapping } {
  const names = columns.map(({ name }) => name);
  const known = new Set(names);
  const lines = rows.map((row, at) => {
    const parsed = recipientBody.safeParse(row);
    if (!parsed.success) throw invalid(`[${at}].${issueMessage(parsed.error.issues[0])}`);
    const { messageId, phone, columns: given } = parsed.data;
    const unknown = Object.keys(given).find((name) => !known.has(name));
    if (unknown !== undefined) {
      throw invalid(`[${at}].columns: The campaign has no column ${unknown}.`);
    }
    return quotedLine([messageId, phone, ...names.map((name) => given[name] ?? "")]);
  });
  return {
    text: new Blob([quotedLine([messageIdHeading, "Phone", ...names]), ...lines]),
    mapping: {
      messageId: 0,
      phone: 1,
      columns: Object.fromEntries(names.map((name, at) => [name, at + 2])),
    },
  };
}

/** Formulas stay as they are: only Fuxi reads this file. */
function quotedLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\n`;
}

function invalid(message: string): AppError {
  return new AppError("unprocessable_entity", message);
}

const letters = 26;

/** Letters, because digits could look like a phone, which an id must not contain. */
function lettersOf(number: number): string {
  const last = String.fromCharCode(97 + (number % letters));
  return number < letters ? last : lettersOf(Math.floor(number / letters)) + last;
}

/** Always the same for a row, so that reading it again makes no second recipient. */
export function derivedId(sourcePk: number, line: number): string {
  return `${lettersOf(sourcePk)}-${line}`;
}

export interface GivenRecipient {
  messageId: string;
  phone: string;
  columns: Record<string, string>;
}

export function recipientOf(
  { pk, mapping }: Pick<SourceRow, "pk" | "mapping">,
  { line, cells }: Pick<StoredRow, "line" | "cells">,
): GivenRecipient {
  const { phone = null, messageId = null, columns = {} } = mapping ?? {};
  const cell = (at: number | null) => (at === null ? "" : (cells[at] ?? "").trim());
  return {
    messageId: cell(messageId) || derivedId(pk, line),
    phone: cell(phone),
    columns: Object.fromEntries(
      Object.entries(columns).flatMap(([name, at]) => (cell(at) === "" ? [] : [[name, cell(at)]])),
    ),
  };
}
