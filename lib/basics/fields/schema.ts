/** Fields that many rooms have: URLs, dates and times, names. */
import { z } from "zod";
import { isAppUrl, isWebUrl } from "#lib/basics/urls/schema";

export const urlCharsMax = 32_000;

/** `example.com/path`: a host with a dot and no scheme. A colon would make it a scheme or port. */
const urlWithoutScheme = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#][^\s\\]*)?$/u;

const enteredUrl = z
  .string()
  .trim()
  .overwrite((text) => (urlWithoutScheme.test(text) ? `https://${text}` : text))
  .max(urlCharsMax, `Use at most ${urlCharsMax} characters.`);

export const webUrl = enteredUrl.refine(
  isWebUrl,
  "Use a full URL that starts with https:// or http://.",
);

/** A destination for some visitors, which may open an app. */
export const webOrAppUrl = enteredUrl.refine(
  (text) => isWebUrl(text) || isAppUrl(text),
  "Use a full URL that starts with https://, http:// or a supported app scheme, such as whatsapp:// or tel:.",
);

const message = "Use a date and time from 1970 on, such as 2026-01-31T12:00:00Z.";

export const moment = z.iso
  .datetime({ offset: true, message })
  .refine((text) => Date.parse(text) >= 0, { message });

export const plainText = /^[^\p{Cc}\p{Cs}]*$/u;
const searchCharsMax = 100;

const isName = (text: z.ZodString, charsMax: number) =>
  text
    .min(1, "Enter a name.")
    .max(charsMax, `Use at most ${charsMax} characters.`)
    .regex(plainText, "Remove the control characters.");

export const nameOf = (charsMax: number) => isName(z.string().trim(), charsMax);

/** For names that are compared: normalized, so that equal names have the same characters. */
export const comparedName = (charsMax: number) => isName(z.string().trim().normalize(), charsMax);

export const searchOfName = z
  .string()
  .trim()
  .max(searchCharsMax)
  .regex(plainText, "Remove the control characters.")
  .optional()
  .describe("Part of the name.");

/** Why the alias of a field is refused beside another value of the field. */
export function aliasDiffers(name: string): string {
  return `This is another name of ${name}. Send only one of them.`;
}

type Refinement<Body> = [(body: Body) => boolean, { message: string; path: string[] }];

/** For a field with two names: the values of both must be the same. */
export function agreeing<Name extends string, Alias extends string>(
  name: Name,
  alias: Alias,
): Refinement<{ [Part in Name | Alias]?: unknown }> {
  const agree = (body: { [Part in Name | Alias]?: unknown }) => {
    const [value, other] = [body[name], body[alias]];
    return value === undefined || other === undefined || value === other;
  };
  return [agree, { message: aliasDiffers(name), path: [alias] }];
}

/** The query parameters of lists. */
export function pageSizeOf(max: number, usual = max) {
  return z.coerce
    .number()
    .int()
    .min(1)
    .max(max)
    .default(usual)
    .describe("How many items a page has at most.");
}
export function pageOf(max: number) {
  return z.coerce.number().int().min(1).max(max).default(1).describe(pageHint);
}
/** For lists that also have cursors, which go further. */
export function pageBesideCursorsOf(max: number) {
  return z.coerce
    .number()
    .int()
    .min(1)
    .max(max, `Use at most ${max}. Use startingAfter to go further.`)
    .optional()
    .describe(pageHint);
}
export const pageHint = "Number of the page, counted from 1.";

interface Position {
  page?: number | undefined;
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
}

/** For lists with pages and cursors: only one of them says where to go on. */
export const oneCursor: Refinement<Position> = [
  ({ startingAfter, endingBefore }) => !startingAfter || !endingBefore,
  { message: "Use either startingAfter or endingBefore, not both.", path: ["endingBefore"] },
];
export const pageOrCursor: Refinement<Position> = [
  ({ page, startingAfter, endingBefore }) => !page || !(startingAfter || endingBefore),
  {
    message: "Use either page or a cursor (startingAfter, endingBefore), not both.",
    path: ["page"],
  },
];
