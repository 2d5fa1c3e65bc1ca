/** Turns what was written for rows into rows of recipients and results of the call. */

import { newUuid, presentId } from "#lib/basics/ids";
import type { RowOutcome } from "#lib/links/creating";
import { shortUrl } from "#lib/links/hosts";
import { findWithContext, presentBriefly } from "#lib/links/presenting";
import { sealPerson, unsealPerson } from "#lib/outreach/people";
import { costOf, countOf, partsOf, savingOf } from "#lib/outreach/segments";
import { mapInSlices } from "#lib/platform/batches";
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
import type { RecipientOutcome, RecipientResult } from "./schema.ts";

type CreatedLink = Extract<RowOutcome, { ok: true }>;

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
  const { parts, urlParts } = sizeOf(call.campaign, entry, written.outcome);
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

type Refused = Extract<RecipientResult, { status: "refused" }>;

export type Present<Result> = (
  call: Call,
  plan: readonly Planned[],
  written: ReadonlyMap<Candidate, Written>,
) => Promise<Result[]>;

export const presentMessages: Present<RecipientResult> = (call, plan, written) =>
  presentAll(call, plan, { written, present: presentMessage });

/** For files, which show no messages: writing them takes as long as everything else. */
export const presentOutcomes: Present<RecipientOutcome> = (call, plan, written) =>
  presentAll(call, plan, { written, present: () => ({ status: "ready" }) });

type PresentRow<Result> = (call: Call, entry: Candidate, id: string, link: CreatedLink) => Result;

async function presentAll<Result>(
  call: Call,
  plan: readonly Planned[],
  { written, present }: { written: ReadonlyMap<Candidate, Written>; present: PresentRow<Result> },
): Promise<(Result | Refused)[]> {
  const ids = plan.flatMap((one) => (one.kind === "repeat" ? [one.row.link_id] : []));
  const links = await findWithContext(call.scope, ids);
  return await mapInSlices(plan, (one) => {
    if (one.kind === "refused") return presentRefusal(one.entry);
    if (one.kind === "repeat") {
      const found = findRepeated(call, one.entry, one.row, links);
      return found.ok ? present(call, one.entry, one.row.id, found) : presentRefusal(found);
    }
    const result = written.get(one.entry) ?? missingResult();
    return result.ok
      ? present(call, one.entry, one.entry.id, result.outcome)
      : presentRefusal(result);
  });
}

function presentRefusal({ messageId, code, message }: Refusal): Refused {
  return { messageId, status: "refused", code, message };
}

/** Only if phone and columns match, so the answer has nothing new for the caller. */
function findRepeated(
  call: Call,
  entry: Candidate,
  row: ReadyRow,
  links: Awaited<ReturnType<typeof findWithContext>>,
): CreatedLink | Refusal {
  const { messageId } = entry;
  const { sealed, key_version: version } = row;
  if (!sealed || version === null) return refusal(messageId, "erased");
  const stored = unsealPerson(call.keys, { version, sealed }, row.id);
  // defence: repeated-message-tells-nothing
  if (sortedText(stored) !== sortedText(personOf(entry))) {
    return refusal(messageId, "message_differs");
  }
  const link = links.get(row.link_id);
  return link ? { ok: true, ...link } : refusal(messageId, "link_deleted");
}

function sortedText({ phone, columns }: ReturnType<typeof personOf>): string {
  return JSON.stringify([phone, Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

interface MessageSize {
  encoding: "GSM-7" | "UCS-2";
  parts: number;
  urlParts: number;
}

const sizes = new WeakMap<CreatedLink, MessageSize>();

const lettersAndDigits = /^[A-Za-z0-9]+$/;

function sizeOf(campaign: OpenCampaign, entry: Candidate, link: CreatedLink): MessageSize {
  const known = sizes.get(link);
  if (known) return known;
  const { sample, phone } = entry;
  const shortLink = shortUrl(link.context.slug, link.row.key);
  // Letters and digits all count the same, so the message is as long as the sample.
  const isAlike = shortLink.length === sample.linkChars && lettersAndDigits.test(link.row.key);
  const { encoding, parts } = isAlike
    ? sample
    : countOf(textWith(campaign, entry, shortLink), phone.country);
  const urlParts = partsOf(textWith(campaign, entry, link.row.url), phone.country);
  const size = { encoding, parts, urlParts };
  sizes.set(link, size);
  return size;
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
  const { encoding, parts, urlParts } = sizeOf(campaign, entry, link);
  return {
    messageId: entry.messageId,
    status: "ready",
    recipientId: presentId("rcp", id),
    linkId,
    shortLink,
    text: textWith(campaign, { ...entry, id }, shortLink),
    variant: variants[entry.variant]?.name ?? "",
    country,
    encoding,
    parts,
    cost: costOf(parts, country, prices),
    saved: savingOf(parts, urlParts, country, prices),
  };
}
