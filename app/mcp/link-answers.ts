import { z } from "zod";
import { idCharsMax, keyCharsMax } from "#lib/links/fields/schema";
import type { Fuxi } from "../sdk/index.ts";
import { dataOf, ToolFailure } from "./answers.ts";

const hostCharsMax = 253;

export const linkReference = z
  .string()
  .trim()
  .min(1, "Enter the id or the short link.")
  .max(hostCharsMax + 3 * keyCharsMax)
  .describe(
    `A link: its id (link_…), ext_ and its externalId of up to ${idCharsMax} characters, or its short link, such as https://go.acme.com/sale.`,
  );

export const linkAnswer = z.looseObject({
  id: z.string(),
  shortLink: z.string(),
  url: z.string().describe("The destination."),
  clicks: z.number(),
});

export type FoundLink = Awaited<ReturnType<typeof findLink>>;

export async function findLink(fuxi: Fuxi, reference: string) {
  if (/^(link|ext)_/.test(reference)) {
    return await dataOf(fuxi.GET("/api/links/{id}", { params: { path: { id: reference } } }));
  }
  const [, host, key] = /^(?:https?:\/\/)?([^/?#\s]+)\/?([^?#\s]*)/i.exec(reference) ?? [];
  if (host === undefined) throw new ToolFailure("Use the id of a link, or its short link.");
  const query = { domain: host.replace(/:\d+$/, ""), key: key || "_root" };
  return await dataOf(fuxi.GET("/api/links/info", { params: { query } }));
}

const briefFields = [
  "id",
  "shortLink",
  "url",
  "clicks",
  "title",
  "folderId",
  "leads",
  "sales",
  "saleAmount",
  "lastClicked",
  "createdAt",
  "startsAt",
  "expiresAt",
  "archived",
  "disabledAt",
  "retiredAt",
] as const satisfies (keyof FoundLink)[];

const otherFields = [
  "externalId",
  "tenantId",
  "description",
  "comments",
  "expiredUrl",
  "maxClicks",
  "redirectStatus",
  "ios",
  "android",
  "geo",
  "rules",
  "testVariants",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
  "trackConversion",
  "qrCode",
  "updatedAt",
] as const satisfies (keyof FoundLink)[];

export function briefLink(link: FoundLink) {
  return { ...pick(link, briefFields), tags: link.tags.map(({ name }) => name) };
}

export function wholeLink(link: FoundLink) {
  return { ...briefLink(link), ...pick(link, otherFields), hasPassword: link.password !== null };
}

/** Sound because every name is a field of the object. */
export function pick<Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  names: readonly Name[],
): Pick<Fields, Name> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<Fields, Name>;
}
