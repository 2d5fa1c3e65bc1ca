/** Writes the message of a recipient at the moment of sending. Nothing is stored. */

import { presentId } from "#lib/basics/ids";
import { shortUrl } from "#lib/links/hosts";
import { type GatewaySettings, kindOf, type OutgoingMessage } from "#lib/outreach/gateways/schema";
import {
  namesOptOut,
  type Piece,
  parseMessage,
  renderMessage,
  writeLink,
} from "#lib/outreach/messages";
import { optOutUrl } from "#lib/outreach/opt-out-links";
import { unsealPerson } from "#lib/outreach/people";
import type { PeopleKeys } from "#lib/tenancy/people-keys";
import type { SealedRecipient } from "./recipient-store.ts";
import type { CampaignText } from "./store.ts";

export interface OpenText {
  campaign: CampaignText;
  variants: Piece[][];
  variables: [string, Piece[]][];
}

const codeName = "code";

/** Throws UnknownColumn if a variable of the gateway names an unknown column. */
export function openText(campaign: CampaignText, settings: GatewaySettings): OpenText {
  const names = campaign.columns.map(({ name }) => name);
  const variants = campaign.variants.map(({ template }) => piecesOf(template, names));
  const template = kindOf(settings).templateOf?.(settings);
  const variables = Object.entries(template?.variables ?? {}).map(
    ([name, text]): [string, Piece[]] => [name, piecesOf(text, [codeName, ...names])],
  );
  return { campaign, variants, variables };
}

/** A variable of the gateway names a column that the campaign does not have. */
export class UnknownColumn extends Error {}

function piecesOf(text: string, names: readonly string[]): Piece[] {
  const parsed = parseMessage(text, names);
  if (parsed.ok) return parsed.pieces;
  throw new UnknownColumn(parsed.message);
}

/** Undefined if a column is missing, although that was checked when the recipient was added. */
export function writeMessage(
  { campaign, variants, variables }: OpenText,
  keys: PeopleKeys,
  recipient: SealedRecipient,
): OutgoingMessage | undefined {
  const { id, sealed, key_version: version, slug, key } = recipient;
  const { phone, columns } = unsealPerson(keys, { version, sealed }, id);
  const country = recipient.country ?? "";
  const link = writeLink(shortUrl(slug, key), campaign.link_scheme);
  const frame = {
    kind: campaign.kind,
    senderName: campaign.sender_name,
    optOutText: campaign.opt_out_text,
  };
  const pieces = variants[recipient.variant ?? 0] ?? [];
  const optout = namesOptOut(pieces) ? writeLink(optOutUrl(id), campaign.link_scheme) : "";
  const rendered = renderMessage(pieces, { optout, ...columns, link }, country, frame);
  if (!rendered.ok) return undefined;
  const filled: Record<string, string> = {};
  for (const [name, parts] of variables) {
    const values = { ...columns, link, [codeName]: key };
    const value = renderMessage(parts, values, "", { ...frame, kind: "service", senderName: null });
    if (!value.ok) return undefined;
    filled[name] = value.text;
  }
  return {
    messageId: presentId("rcp", id),
    phone,
    text: rendered.text,
    variables: filled,
    slug: key,
  };
}
