/** What was written for rows, as rows of recipients and as results of the call. */
import type { RowOutcome } from "#lib/links/creating";
import { shortUrl } from "#lib/links/hosts";
import { findWithContext, presentBriefly } from "#lib/links/presenting";
import { sealPerson, unsealPerson } from "#lib/outreach/people";
import { costOf, partsOf, savingOf, segmentsOf } from "#lib/outreach/segments";
import { mapInSlices } from "#lib/platform/batches";
import { newUuid, presentId } from "#lib/platform/ids";
import {
  type Candidate,
  type OpenCampaign,
  personOf,
  type Refusal,
  refusal,
  render,
} from "./candidates.ts";
import type { Call, Planned } from "./plan.ts";
import type { NewRecipient, ReadyRow } from "./recipient-rows.ts";
import type { RecipientResult } from "./schema.ts";

type CreatedLink = Extract<RowOutcome, { ok: true }>;

/** What was written for a row. */
export type Written = { ok: true; outcome: CreatedLink } | Refusal;

export function missingResult(): never {
  throw new Error("A row of recipients has no result");
}

export function writtenOf(entry: Candidate, outcome: RowOutcome | undefined): Written {
  if (!outcome) return missingResult();
  if (outcome.ok) return { ok: true, outcome };
  return refusal(entry.messageId, "link_refused", outcome.message);
}

export function rowOf(call: Call, entry: Candidate, written: Written): NewRecipient {
  if (!written.ok) return refusedRow(written);
  const { row } = written.outcome;
  const { phone, variant, id } = entry;
  const { parts, urlParts } = finish(call.campaign, entry, written.outcome);
  return {
    id,
    messageId: entry.messageId,
    state: "ready",
    reason: null,
    phoneHash: entry.hash,
    sealed: sealPerson(call.keys, personOf(entry), id),
    country: phone.country,
    variant,
    linkPk: row.pk,
    linkId: row.id,
    parts,
    urlParts,
  };
}

export function refusedRow({ messageId, code }: Refusal): NewRecipient {
  return {
    id: newUuid(),
    messageId: messageId ?? missingResult(),
    state: "refused",
    reason: code,
    phoneHash: null,
    sealed: null,
    country: null,
    variant: null,
    linkPk: null,
    linkId: null,
    parts: null,
    urlParts: null,
  };
}

function textWith(campaign: OpenCampaign, entry: Candidate, link: string): string {
  const rendered = render(campaign, entry, link);
  if (!rendered.ok) throw new Error("A checked message lacks a column");
  return rendered.text;
}

export async function presentAll(
  call: Call,
  plan: readonly Planned[],
  written: ReadonlyMap<Candidate, Written>,
): Promise<RecipientResult[]> {
  const ids = plan.flatMap((one) => (one.kind === "repeat" ? [one.row.link_id] : []));
  const links = await findWithContext(call.scope, ids);
  return await mapInSlices(plan, (one) => {
    if (one.kind === "refused") return presentRefusal(one.entry);
    if (one.kind === "repeat") return presentRepeat(call, one.entry, one.row, links);
    const result = written.get(one.entry) ?? missingResult();
    return result.ok
      ? presentMessage(call, one.entry, one.entry.id, result.outcome)
      : presentRefusal(result);
  });
}

function presentRefusal({ messageId, code, message }: Refusal): RecipientResult {
  return { messageId, status: "refused", code, message };
}

/** Only for the same phone and columns: the answer has nothing that the caller did not send. */
function presentRepeat(
  call: Call,
  entry: Candidate,
  row: ReadyRow,
  links: Awaited<ReturnType<typeof findWithContext>>,
): RecipientResult {
  const { messageId } = entry;
  const { sealed, key_version: version } = row;
  if (!sealed || version === null) return presentRefusal(refusal(messageId, "erased"));
  const stored = unsealPerson(call.keys, { version, sealed }, row.id);
  if (sortedText(stored) !== sortedText(personOf(entry))) {
    return presentRefusal(refusal(messageId, "message_differs"));
  }
  const link = links.get(row.link_id);
  if (!link) return presentRefusal(refusal(messageId, "link_deleted"));
  return presentMessage(call, entry, row.id, { ok: true, ...link });
}

function sortedText({ phone, columns }: ReturnType<typeof personOf>): string {
  return JSON.stringify([phone, Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

interface FinishedMessage {
  text: string;
  encoding: "GSM-7" | "UCS-2";
  parts: number;
  urlParts: number;
}

/** Needed for the row and for the result: counting parts takes as long as the rest of both. */
const finished = new WeakMap<CreatedLink, FinishedMessage>();

function finish(campaign: OpenCampaign, entry: Candidate, link: CreatedLink): FinishedMessage {
  const known = finished.get(link);
  if (known) return known;
  const { country } = entry.phone;
  const text = textWith(campaign, entry, shortUrl(link.context.slug, link.row.key));
  const { encoding, parts } = segmentsOf(text, country);
  const urlParts = partsOf(textWith(campaign, entry, link.row.url), country);
  const message = { text, encoding, parts: parts.length, urlParts };
  finished.set(link, message);
  return message;
}

function presentMessage(
  { campaign }: Call,
  entry: Candidate,
  id: string,
  link: CreatedLink,
): RecipientResult {
  const { prices, variants } = campaign.row;
  const { country } = entry.phone;
  const { id: linkId, shortLink } = presentBriefly(link.row, link.context);
  const { text, encoding, parts, urlParts } = finish(campaign, entry, link);
  return {
    messageId: entry.messageId,
    status: "ready",
    recipientId: presentId("rcp", id),
    linkId,
    shortLink,
    text,
    variant: variants[entry.variant]?.name ?? "",
    country,
    encoding,
    parts,
    cost: costOf(parts, country, prices),
    saved: savingOf(parts, urlParts, country, prices),
  };
}
