/** Destinations with placeholders: {recipientId} and columns that are not personal. */
import { webUrl } from "#lib/basics/fields/schema";
import {
  type Filled,
  fillTemplate,
  namesOf,
  type ParsedTemplate,
  type Piece,
  parseTemplate,
  templateProblem,
} from "./template.ts";

/** Opaque: it tells nothing about the person. */
export const recipientIdName = "recipientId";

export interface Column {
  name: string;
  /** Whether its values say something about a person. */
  personal: boolean;
}

const personalNames =
  /phone|mobile|cell|^tel|e-?mail|^(first|last|full|given|family|sur|user)?[ _-]*name$|wechat|openid|手机|电话|号码|邮箱|邮件|姓名|名字|微信/i;

/** Whether a column has to be treated as personal because of its name. */
function isPersonalName(name: string): boolean {
  return personalNames.test(name);
}

/** Reads the destination of a campaign. Its host cannot have placeholders. */
export function parseDestination(text: string, columns: readonly Column[]): ParsedTemplate {
  const allowed = columns.filter(({ name, personal }) => !personal && !isPersonalName(name));
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
  if (
    typeof first !== "string" ||
    !/^https?:\/\/[^/?#]+[/?#]/i.test(`${first}${ender(parsed.pieces)}`)
  ) {
    const message =
      "Start with a URL such as https://example.com/. Placeholders are allowed after the host.";
    return templateProblem("host_missing", message);
  }
  const sample = fillDestination(parsed.pieces, sampleValues(known));
  const url = webUrl.safeParse(sample.ok ? sample.text : "");
  if (url.success) return parsed;
  return templateProblem("url_invalid", url.error.issues[0]?.message ?? "Use a complete URL.");
}

/** A host that is the whole destination needs no slash behind it. */
function ender(pieces: readonly Piece[]): string {
  return pieces.length === 1 ? "/" : "";
}

function sampleValues(names: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries([...names].map((name) => [name, "1"]));
}

/** The destination of one recipient. */
export function fillDestination(
  pieces: readonly Piece[],
  values: Readonly<Record<string, string>>,
): Filled {
  return fillTemplate(pieces, values, encodeURIComponent);
}

const emailLike = /[^\s@]+@[^\s@]+\.[^\s@]+/;
/** Shorter endings of numbers are found in ordinary values too. */
const phoneDigitsMin = 7;

/** Whether a text has an email address, or the digits of the phone of the recipient. */
export function tellsPerson(text: string, phone: string): boolean {
  // Most texts have no @, and the pattern looks for it from each of their characters.
  if (text.includes("@") && emailLike.test(text)) return true;
  const digits = phone.replace(/\D/g, "");
  if (digits.length < phoneDigitsMin) return false;
  const national = digits.slice(-Math.max(phoneDigitsMin, digits.length - 3));
  return text.replace(/\D/g, "").includes(national);
}
