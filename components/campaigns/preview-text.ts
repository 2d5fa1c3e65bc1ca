/** The message of a campaign as one recipient gets it, with its parts and their cost. Pure. */
import { messagePartsMax } from "#lib/outreach/campaigns/schema";
import {
  parseMessage,
  renderMessage,
  type TemplateProblem,
  warningsOf,
  writeLink,
} from "#lib/outreach/messages";
import {
  costOf,
  findWideCharacters,
  partsOf,
  replaceWideCharacters,
  type Segments,
  savingOf,
  segmentsOf,
} from "#lib/outreach/segments";
import { pricesShape } from "#lib/outreach/segments/schema";
import {
  type CampaignDraft,
  columnNames,
  missingColumns,
  namesIn,
  pricesOf,
} from "./campaign-draft.ts";

export interface SampleLinks {
  /** The domains of the workspace, the default first. */
  domains: readonly { host: string; shortLink: string; shared: boolean }[];
  optOut: string;
  /** This instance checks destinations. */
  areChecked: boolean;
}

const sampleRecipient = "rcp_01KAYV5M3EJ2Q4R8ZC7D0N6XWB";

export interface MessageView {
  ok: true;
  text: string;
  segments: Segments;
  cost: string | null;
  saved: { parts: number; cost: string | null };
  /** The characters that force the message into UCS-2, once each. */
  wide: { char: string; replacement: string | null }[];
  /** The template with these characters replaced, if that shortens the message. */
  replaced: { template: string; parts: number } | undefined;
  warnings: ReturnType<typeof warningsOf>;
  isTooLong: boolean;
}

interface PreviewInput {
  draft: CampaignDraft;
  at: number;
  country: string;
  samples: Readonly<Record<string, string>>;
  links: SampleLinks;
}

/** Missing columns count as existing, so that the preview can still show the message. */
export function previewMessage(input: PreviewInput): MessageView | TemplateProblem {
  const { draft, at, country, links } = input;
  const template = draft.variants[at]?.template ?? "";
  const parsed = parseMessage(template, [...columnNames(draft), ...missingColumns(draft)]);
  if (!parsed.ok) return parsed;
  const { host, shortLink, isShared } = linkOf(draft, links);
  const text = textOf(input, template, shortLink);
  const segments = segmentsOf(text, country);
  const prices = pricesShape.safeParse(pricesOf(draft)).data ?? null;
  const parts = segments.parts.length;
  const url = destinationOf(input);
  const partsWithUrl = partsOf(textOf(input, template, url || shortLink), country);
  return {
    ok: true,
    text,
    segments,
    cost: costOf(parts, country, prices),
    saved: savingOf(parts, partsWithUrl, country, prices),
    ...wideCharactersOf(input, template, segments, shortLink),
    warnings: template.trim() === "" ? [] : warningsOf(parsed.pieces, isShared && host !== ""),
    isTooLong: parts > messagePartsMax,
  };
}

function linkOf({ domain }: CampaignDraft, { domains }: SampleLinks) {
  const found = domains.find(({ host }) => host === domain) ?? domains[0];
  return {
    host: found?.host ?? "",
    shortLink: found?.shortLink ?? "",
    isShared: found?.shared ?? false,
  };
}

/** The columns that the message uses, each of which needs a sample value. */
export function sampledColumns(draft: CampaignDraft, at: number): string[] {
  return namesIn(draft.variants[at]?.template ?? "");
}

function textOf(
  { draft, at, country, samples, links }: PreviewInput,
  template: string,
  link: string,
): string {
  const names = sampledColumns(draft, at);
  const parsed = parseMessage(template, names);
  if (!parsed.ok) return template;
  const values = {
    ...Object.fromEntries(names.map((name) => [name, samples[name] ?? name])),
    link: writeLink(link, draft.linkScheme),
    optout: writeLink(links.optOut, draft.linkScheme),
  };
  const { kind, senderName, optOutText } = draft;
  const frame = {
    kind,
    senderName: senderName.trim() || null,
    optOutText: optOutText.trim() || null,
  };
  // Without a value, shows the fallback, or else the name of the column.
  const rendered = renderMessage(parsed.pieces, values, country, frame);
  if (rendered.ok) return rendered.text;
  const named = renderMessage(
    parsed.pieces,
    { ...values, ...Object.fromEntries(names.map((name) => [name, name])) },
    country,
    frame,
  );
  return named.ok ? named.text : template;
}

function destinationOf({ draft, samples }: PreviewInput): string {
  return draft.destination.replace(/\{([^{}|]*)(?:\|[^{}]*)?\}/g, (_, name: string) =>
    name.trim() === "recipientId"
      ? sampleRecipient
      : encodeURIComponent(samples[name.trim()] ?? name.trim()),
  );
}

function wideCharactersOf(
  input: PreviewInput,
  template: string,
  { encoding, parts, units }: Segments,
  shortLink: string,
): Pick<MessageView, "wide" | "replaced"> {
  // Mainland China bills messages the same in every encoding, so no characters are marked.
  if (encoding === "GSM-7" || input.country === "CN" || units === 0)
    return { wide: [], replaced: undefined };
  const found = findWideCharacters(parts.join(""));
  const wide = [...new Map(found.map((one) => [one.char, one])).values()];
  const plain = replaceOutside(template);
  const partsAfter = partsOf(textOf(input, plain, shortLink), input.country);
  const isBetter = plain !== template && partsAfter <= parts.length;
  return { wide, replaced: isBetter ? { template: plain, parts: partsAfter } : undefined };
}

/** Replaces characters of the text, and of fallbacks, but not of the names of columns. */
function replaceOutside(template: string): string {
  return template
    .split(/(\{[^{}|]*[|}])/)
    .map((piece, at) => (at % 2 === 0 ? replaceWideCharacters(piece) : piece))
    .join("");
}
