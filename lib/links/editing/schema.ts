import { z } from "zod";
import { urlCharsMax } from "#lib/basics/fields/schema";
import { parseUrl } from "#lib/basics/urls/schema";
import { bulkRowsMax } from "#lib/links/creating/schema";
import { editLinkBody, groupLinksMax, idCharsMax, tagsMax } from "#lib/links/fields/schema";

/** Shorter than the delay of the erasure by more than the longest transaction takes. */
export const restoreMinutes = 10;

const namedLinks = {
  linkIds: z.array(z.string().max(idCharsMax)).max(bulkRowsMax).optional(),
  externalIds: z.array(z.string().max(idCharsMax)).max(bulkRowsMax).optional(),
};

export const editManyBody = z.object({
  ...namedLinks,
  data: editLinkBody.omit({ key: true, slug: true, domain: true, externalId: true }),
});

export const deleteManyBody = z.object(namedLinks);

const groupIds = z.array(z.string().max(idCharsMax)).max(groupLinksMax);
const groupTagIds = z.array(z.string().max(idCharsMax)).max(tagsMax).optional();

const hostCharsMax = 253;

/** A host as URLs write it. Undefined for anything else, also for IPv6 addresses. */
export function hostnameOf(text: string): string | undefined {
  const typed = text.trim();
  if (typed === "" || typed.length > hostCharsMax || /[/:?#@\\\s]/.test(typed)) return undefined;
  return parseUrl(`https://${typed}`)?.hostname;
}

/** The URL on the other host, if it is on this one. Everything else stays as it is written. */
export function withHost(url: string, { from, to }: Pick<ReplaceHost, "from" | "to">): string {
  if (!/^https?:/i.test(url) || parseUrl(url)?.hostname !== from) return url;
  const after = url.replace(/^(https?:\/\/(?:[^/?#]*@)?)[^/?#:@]+/i, `$1${to}`);
  return after.length > urlCharsMax ? url : after;
}

const hostName = z.string().transform((text, context) => {
  const host = hostnameOf(text);
  if (host !== undefined) return host;
  context.addIssue("Use only the host, such as shop.example.com.");
  return z.NEVER;
});

const replacedUrlsMax = 500;

/** With `only`, changes only these URLs, as an undo does. */
export const replaceHost = z.strictObject({
  from: hostName,
  to: hostName,
  only: z.array(z.string().max(urlCharsMax)).max(replacedUrlsMax).optional(),
});
export type ReplaceHost = z.output<typeof replaceHost>;

/** With `ifFolder`, moves only links that are in this folder. Null: in no folder. */
const groupStep = z.strictObject({
  linkIds: groupIds,
  archived: z.boolean().optional(),
  disabled: z.boolean().optional(),
  folderId: z.string().max(idCharsMax).nullable().optional(),
  ifFolder: z.string().max(idCharsMax).nullable().optional(),
  addTagIds: groupTagIds,
  removeTagIds: groupTagIds,
  replaceHost: replaceHost.optional(),
});
export type GroupStep = z.output<typeof groupStep>;

export const groupSteps = z
  .array(groupStep)
  .max(groupLinksMax)
  .refine((steps) => steps.reduce((sum, step) => sum + step.linkIds.length, 0) <= groupLinksMax, {
    message: `Select at most ${groupLinksMax} links.`,
  });
export const groupOfLinks = groupIds;

/** One change of all links of a list: a step without the links, or a deletion. */
export const listChange = z.union([
  z.strictObject({ delete: z.literal(true) }),
  groupStep.omit({ linkIds: true, ifFolder: true }),
]);
export type ListChange = z.output<typeof listChange>;

export const historyPageSize = 20;

/** Without values, it is only known that the field changed. */
export interface FieldChange {
  field: string;
  from?: unknown;
  to?: unknown;
}

export interface HistoryEntry {
  id: string;
  at: string;
  actor: { id: string; name: string | null; type: "user" | "api_key" | "system" };
  action: string;
  changes: FieldChange[];
}

export interface History {
  entries: HistoryEntry[];
  revision: number;
  more: boolean;
  names: Record<string, string>;
}
