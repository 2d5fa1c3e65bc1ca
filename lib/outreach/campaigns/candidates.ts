/** Reads and checks the rows of a call before anything is looked up. */

import { createHash } from "node:crypto";
import { newUuid, presentId } from "#lib/basics/ids";
import {
  fillDestination,
  type frameMessage,
  namesOptOut,
  type Piece,
  parseDestination,
  parseMessage,
  recipientIdName,
  renderMessage,
  tellsPerson,
  writeLink,
} from "#lib/outreach/messages";
import { optOutUrl } from "#lib/outreach/opt-out-links";
import type { Person } from "#lib/outreach/people";
import { countOf, type Encoding } from "#lib/outreach/segments";
import { issueMessage } from "#lib/platform/errors";
import { type Phone, parsePhone } from "#lib/platform/phones";
import type { PeopleKeys } from "#lib/tenancy/people-keys";
import {
  messagePartsMax,
  type RecipientProblem,
  recipientBody,
  recipientProblems,
} from "./recipient-schema.ts";
import type { CampaignRow } from "./store.ts";

export interface OpenCampaign {
  row: CampaignRow;
  variants: Piece[][];
  destination: Piece[];
  columnNames: ReadonlySet<string>;
}

export function openTemplates(row: CampaignRow): OpenCampaign {
  const names = row.columns.map(({ name }) => name);
  const variants = row.variants.map(({ template }) => piecesOf(parseMessage(template, names)));
  const destination = piecesOf(parseDestination(row.destination, row.columns));
  return { row, variants, destination, columnNames: new Set(names) };
}

function piecesOf(parsed: ReturnType<typeof parseMessage>): Piece[] {
  if (parsed.ok) return parsed.pieces;
  throw new Error(`A stored template is invalid: ${parsed.message}`);
}

export interface Candidate {
  ok: true;
  id: string;
  messageId: string;
  phone: Phone;
  columns: Record<string, string>;
  hash: Buffer;
  variant: number;
  url: string;
  sample: { linkChars: number; encoding: Encoding; parts: number };
}

export interface Refusal {
  ok: false;
  messageId: string | null;
  /** Whether the row can be stored with the reason: only if its id does not reveal the person. */
  isStorable: boolean;
  code: RecipientProblem;
  message: string;
  column: string | null;
}

export function refusal(
  messageId: string | null,
  code: RecipientProblem,
  message: string = recipientProblems[code],
): Refusal {
  return { ok: false, messageId, isStorable: messageId !== null, code, message, column: null };
}

function columnRefusal(
  messageId: string,
  code: "column_missing" | "column_unknown",
  column: string,
): Refusal {
  const message = recipientProblems[code].replaceAll("{column}", column);
  return { ...refusal(messageId, code, message), column };
}

/** `sampleLink` is as long as the link will be. */
export function readRow(
  campaign: OpenCampaign,
  keys: PeopleKeys,
  sampleLink: string,
  given: unknown,
): Candidate | Refusal {
  const parsed = recipientBody.safeParse(given);
  if (!parsed.success) {
    return refusal(null, "row_invalid", issueMessage(parsed.error.issues[0]));
  }
  const { messageId, columns } = parsed.data;
  // The id is stored in plain text, so it must not reveal the person.
  if (tellsPerson(messageId, parsed.data.phone)) return personalId(messageId);
  const { default_country: country } = campaign.row;
  const invalid = (one: Refusal) => {
    // defence: message-id-is-no-phone
    return { ...one, isStorable: parsePhone(messageId, country) === undefined };
  };
  const unknown = Object.keys(columns).find((name) => !campaign.columnNames.has(name));
  if (unknown !== undefined) return invalid(columnRefusal(messageId, "column_unknown", unknown));
  const phone = parsePhone(parsed.data.phone, country);
  if (!phone) return invalid(refusal(messageId, "phone_invalid"));
  if (tellsPerson(messageId, phone.number)) return personalId(messageId);
  return completeRow(campaign, keys, sampleLink, { messageId, phone, columns });
}

function personalId(messageId: string): Refusal {
  return { ...refusal(messageId, "message_personal"), isStorable: false };
}

type CheckedRow = Pick<Candidate, "messageId" | "phone" | "columns">;

function completeRow(
  campaign: OpenCampaign,
  keys: PeopleKeys,
  sampleLink: string,
  { messageId, phone, columns }: CheckedRow,
): Candidate | Refusal {
  const id = newUuid();
  const values = { ...columns, [recipientIdName]: presentId("rcp", id) };
  const url = fillDestination(campaign.destination, values);
  if (!url.ok) return columnRefusal(messageId, "column_missing", url.missing);
  const placed = fillDestination(campaign.destination, { ...columns, [recipientIdName]: "" });
  if (placed.ok && tellsPerson(decode(placed.text), phone.number)) {
    return refusal(messageId, "destination_personal");
  }
  const hash = keys.hash(phone.number);
  const percentages = campaign.row.variants.map(({ percentage }) => percentage);
  const variant = variantOf(percentages, campaign.row.id, hash);
  const text = render(campaign, { id, columns, phone, variant }, sampleLink);
  if (!text.ok) return columnRefusal(messageId, "column_missing", text.missing);
  const counted = countOf(text.text, phone.country);
  if (counted.parts > messagePartsMax) return refusal(messageId, "text_long");
  const sample = { linkChars: sampleLink.length, ...counted };
  return { ok: true, id, messageId, phone, columns, hash, variant, url: url.text, sample };
}

function decode(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

type Rendered = ReturnType<typeof renderMessage>;

export function render(
  campaign: OpenCampaign,
  { id, columns, phone, variant }: Pick<Candidate, "id" | "columns" | "phone" | "variant">,
  link: string,
): Rendered {
  return renderTo(campaign, { id, columns, country: phone.country, variant }, link);
}

interface StoredMessage {
  id: string;
  columns: Record<string, string>;
  country: string;
  variant: number;
}

function renderTo(
  { row, variants }: OpenCampaign,
  { id, columns, country, variant }: StoredMessage,
  link: string,
): Rendered {
  const pieces = variants[variant] ?? [];
  const optout = namesOptOut(pieces) ? writeLink(optOutUrl(id), row.link_scheme) : "";
  // Columns overwrite `optout`, because they could have this name before it was reserved.
  const values = { optout, ...columns, link: writeLink(link, row.link_scheme) };
  return renderMessage(pieces, values, country, frameOf(row));
}

export function renderStored(
  campaign: OpenCampaign,
  message: StoredMessage,
  link: string,
): string | null {
  const rendered = renderTo(campaign, message, link);
  return rendered.ok ? rendered.text : null;
}

function frameOf(row: CampaignRow): Parameters<typeof frameMessage>[2] {
  return { kind: row.kind, senderName: row.sender_name, optOutText: row.opt_out_text };
}

export function personOf({ phone, columns }: Candidate): Person {
  return { phone: phone.number, columns };
}

/** A person always gets the same variant. Variants are spread according to the percentages. */
export function variantOf(
  percentages: readonly number[],
  campaignId: string,
  person: Buffer,
): number {
  if (percentages.length < 2) return 0;
  const digest = createHash("sha256").update(campaignId).update(person).digest();
  const drawn = (digest.readUIntBE(0, 6) / 2 ** 48) * 100;
  let sum = 0;
  for (const [at, percentage] of percentages.entries()) {
    sum += percentage;
    if (drawn < sum) return at;
  }
  return percentages.length - 1;
}
