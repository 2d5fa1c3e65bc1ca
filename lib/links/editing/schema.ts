/** Edits of links, and their results. */
import { z } from "zod";
import { bulkRowsMax } from "#lib/links/creating/schema";
import { editLinkBody, groupLinksMax, idCharsMax, tagsMax } from "#lib/links/fields/schema";

/** Deleted links can be restored. Shorter than the delay of the erasure by more than any transaction may last. */
export const restoreMinutes = 10;

const namedLinks = {
  linkIds: z.array(z.string().max(idCharsMax)).max(bulkRowsMax).optional(),
  externalIds: z.array(z.string().max(idCharsMax)).max(bulkRowsMax).optional(),
};

/** One change for many links. Fields unique to a link cannot be changed for many. */
export const editManyBody = z.object({
  ...namedLinks,
  data: editLinkBody.omit({ key: true, domain: true, externalId: true }),
});

export const deleteManyBody = z.object(namedLinks);

const groupIds = z.array(z.string().max(idCharsMax)).max(groupLinksMax);
const groupTagIds = z.array(z.string().max(idCharsMax)).max(tagsMax).optional();

/** `ifFolder`: moves only links that are still in this folder; null: in none. */
const groupStep = z.strictObject({
  linkIds: groupIds,
  archived: z.boolean().optional(),
  disabled: z.boolean().optional(),
  folderId: z.string().max(idCharsMax).nullable().optional(),
  ifFolder: z.string().max(idCharsMax).nullable().optional(),
  addTagIds: groupTagIds,
  removeTagIds: groupTagIds,
});
export type GroupStep = z.output<typeof groupStep>;

export const groupSteps = z
  .array(groupStep)
  .max(groupLinksMax)
  .refine((steps) => steps.reduce((sum, step) => sum + step.linkIds.length, 0) <= groupLinksMax, {
    message: `Select at most ${groupLinksMax} links.`,
  });
export const groupOfLinks = groupIds;

/** One change of all links of a list; a step without the links themselves, or their deletion. */
export const listChange = z.union([
  z.strictObject({ delete: z.literal(true) }),
  groupStep.omit({ linkIds: true, ifFolder: true }),
]);
export type ListChange = z.output<typeof listChange>;

/** The history of a link. */

export const historyPageSize = 20;

/** Without values: only the fact of the change is recorded. */
export interface FieldChange {
  /** The name in the API. */
  field: string;
  from?: unknown;
  to?: unknown;
}

export interface HistoryEntry {
  id: string;
  /** ISO 8601 */
  at: string;
  actor: { id: string; name: string | null; type: "user" | "api_key" | "system" };
  /** `link.edit`, `link.delete`, … */
  action: string;
  changes: FieldChange[];
}

export interface History {
  entries: HistoryEntry[];
  /** Revision of the link when the entries were read. */
  revision: number;
  /** Older entries follow. */
  more: boolean;
  /** Names of tags and folders in entries, by id. */
  names: Record<string, string>;
}
