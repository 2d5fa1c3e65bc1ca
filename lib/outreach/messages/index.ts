/** Templates of campaign messages, and what is added to them. Safe in the browser. */

import { webUrl } from "#lib/basics/fields/schema";
import { bareUrl } from "#lib/basics/urls/schema";
import {
  type Filled,
  fillTemplate,
  namesOf,
  type ParsedTemplate,
  type Piece,
  parseTemplate,
  templateProblem,
} from "./template.ts";

export { namesOf, type Piece, type TemplateProblem } from "./template.ts";

const linkName = "link";
const optOutName = "optout";

export function parseMessage(text: string, columns: readonly string[]): ParsedTemplate {
  return parseTemplate(text, new Set([linkName, optOutName, ...columns]));
}

/** Whether a template names the opt-out page, whose address is encrypted for each recipient. */
export function namesOptOut(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => typeof piece !== "string" && piece.name === optOutName);
}

/** Whether every message has the opt-out page, so that marketing needs no other opt-out text. */
export function allNameOptOut(
  variants: readonly { template: string }[],
  columns: readonly { name: string }[],
): boolean {
  const names = columns.map(({ name }) => name);
  return variants.every(({ template }) => {
    const parsed = parseMessage(template, names);
    return parsed.ok && namesOptOut(parsed.pieces);
  });
}

interface MessageFrame {
  kind: "marketing" | "service";
  senderName: string | null;
  optOutText: string | null;
}

const mainland = "CN";
/** Carriers in mainland China require this ending of marketing messages. */
const mainlandOptOutText = "拒收请回复R";

/** Adds the signature and the opt-out text where the country requires them. */
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

export function renderMessage(
  pieces: readonly Piece[],
  values: Readonly<Record<string, string>>,
  country: string,
  frame: MessageFrame,
): Rendered {
  const filled = fillTemplate(pieces, values);
  return filled.ok ? { ok: true, text: frameMessage(filled.text, country, frame) } : filled;
}

export function writeLink(shortLink: string, withScheme: boolean): string {
  return withScheme ? shortLink : bareUrl(shortLink);
}

export const messageWarnings = {
  no_link: "The message has no {link}. Clicks can’t be counted.",
  no_space: "Add a space after {link}. Some apps treat what follows as part of the link.",
  shared_domain:
    "The links use the shared domain of this instance. Carriers deliver messages with your own domain more reliably.",
} as const;
type MessageWarning = keyof typeof messageWarnings;

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

/** Opaque: it reveals nothing about the person. */
export const recipientIdName = "recipientId";

interface Column {
  name: string;
  personal: boolean;
}

const personalNames =
  /phone|mobile|cell|^tel|e-?mail|^(first|last|full|given|family|sur|user)?[ _-]*name$|wechat|openid|手机|电话|号码|邮箱|邮件|姓名|名字|微信/i;

/** Parses the destination of a campaign. Its host cannot have placeholders. */
export function parseDestination(text: string, columns: readonly Column[]): ParsedTemplate {
  const allowed = columns.filter(({ name, personal }) => !personal && !personalNames.test(name));
  const known = new Set([recipientIdName, ...columns.map(({ name }) => name)]);
  const parsed = parseTemplate(text, known);
  if (!parsed.ok) return parsed;
  const names = new Set([recipientIdName, ...allowed.map(({ name }) => name)]);
  // defence: destination-without-personal-columns
  const refused = namesOf(parsed.pieces).find((name) => !names.has(name));
  if (refused !== undefined) {
    const message = `{${refused}} is personal and would be visible in the destination. Use {${recipientIdName}}, or a column that isn’t personal.`;
    return templateProblem("name_personal", message, { name: refused });
  }
  const [first = ""] = parsed.pieces;
  // A destination that is only a host needs no slash.
  const end = parsed.pieces.length === 1 ? "/" : "";
  if (typeof first !== "string" || !/^https?:\/\/[^/?#]+[/?#]/i.test(`${first}${end}`)) {
    const message =
      "Start with a URL such as https://example.com/. Placeholders are allowed after the host.";
    return templateProblem("host_missing", message);
  }
  const sampleValues = Object.fromEntries([...known].map((name) => [name, "1"]));
  const sample = fillDestination(parsed.pieces, sampleValues);
  const url = webUrl.safeParse(sample.ok ? sample.text : "");
  if (url.success) return parsed;
  return templateProblem("url_invalid", url.error.issues[0]?.message ?? "Use a complete URL.");
}

export function fillDestination(
  pieces: readonly Piece[],
  values: Readonly<Record<string, string>>,
): Filled {
  return fillTemplate(pieces, values, encodeURIComponent);
}

const emailLike = /[^\s@]+@[^\s@]+\.[^\s@]+/;
/** Ordinary values may contain shorter endings of a number. */
const phoneDigitsMin = 7;

/** Whether a text has an email address, or the digits of the recipient's phone. */
export function tellsPerson(text: string, phone: string): boolean {
  // Most texts have no @, and the pattern is slow: it starts at each character.
  if (text.includes("@") && emailLike.test(text)) return true;
  const digits = phone.replace(/\D/g, "");
  if (digits.length < phoneDigitsMin) return false;
  const national = digits.slice(-Math.max(phoneDigitsMin, digits.length - 3));
  return text.replace(/\D/g, "").includes(national);
}
