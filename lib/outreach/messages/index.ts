/** Messages of campaigns: templates and what is added to them. Pure, and safe in the browser. */

import { bareUrl } from "#lib/basics/urls/schema";
import { fillTemplate, type ParsedTemplate, type Piece, parseTemplate } from "./template.ts";

export {
  fillDestination,
  parseDestination,
  recipientIdName,
  tellsPerson,
} from "./destinations.ts";
export { namesOf, type Piece, type TemplateProblem } from "./template.ts";

const linkName = "link";
/** The page where a recipient opts out. */
const optOutName = "optout";

/** Reads the text of a message. */
export function parseMessage(text: string, columns: readonly string[]): ParsedTemplate {
  return parseTemplate(text, new Set([linkName, optOutName, ...columns]));
}

/** Whether a template names the page, whose address is encrypted for each recipient. */
export function namesOptOut(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => typeof piece !== "string" && piece.name === optOutName);
}

interface MessageFrame {
  kind: "marketing" | "service";
  senderName: string | null;
  /** Ends marketing messages outside of mainland China. */
  optOutText: string | null;
}

const mainland = "CN";
/** Carriers in mainland China require it at the end of marketing messages. */
const mainlandOptOutText = "拒收请回复R";

/** The text as it is sent to a country: with the signature and the opt-out text where they are required. */
export function frameMessage(text: string, country: string, frame: MessageFrame): string {
  const { kind, senderName, optOutText } = frame;
  const signature = country === mainland && senderName ? `【${senderName}】` : "";
  const signed = text.startsWith(signature) ? text : signature + text;
  if (kind !== "marketing") return signed;
  const ending = country === mainland ? mainlandOptOutText : (optOutText ?? "");
  if (ending === "" || signed.trimEnd().endsWith(ending)) return signed.trimEnd();
  return `${signed.trimEnd()} ${ending}`;
}

type Rendered = { ok: true; text: string } | { ok: false; missing: string };

/** The finished message of one recipient. */
export function renderMessage(
  pieces: readonly Piece[],
  values: Readonly<Record<string, string>>,
  country: string,
  frame: MessageFrame,
): Rendered {
  const filled = fillTemplate(pieces, values);
  return filled.ok ? { ok: true, text: frameMessage(filled.text, country, frame) } : filled;
}

/** A link as it is written in a message. */
export function writeLink(shortLink: string, withScheme: boolean): string {
  return withScheme ? shortLink : bareUrl(shortLink);
}

export const messageWarnings = {
  no_link: "The message has no {link}. Clicks can’t be counted.",
  no_space: "Add a space after {link}. Some apps treat what follows as part of the link.",
  shared_domain:
    "The links use the shared domain of this instance. Carriers deliver messages with your own domain more reliably.",
} as const;
export type MessageWarning = keyof typeof messageWarnings;

/** What may go wrong with a template. */
export function warningsOf(pieces: readonly Piece[], isShared: boolean): MessageWarning[] {
  const links = pieces.flatMap((piece, at) =>
    typeof piece !== "string" && piece.name === linkName ? [at] : [],
  );
  if (links.length === 0) return ["no_link"];
  const touched = links.some((at) => {
    const next = pieces[at + 1];
    return next !== undefined && (typeof next !== "string" || !/^\s/.test(next));
  });
  return [
    ...(touched ? ["no_space" as const] : []),
    ...(isShared ? ["shared_domain" as const] : []),
  ];
}
