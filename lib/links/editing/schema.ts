/** Changes of links, and what became of them. */
import { z } from "zod";
import { bulkRowsMax } from "#lib/links/creating/schema";
import { editLinkBody, groupLinksMax, idCharsMax, tagsMax } from "#lib/links/fields/schema";

const namedLinks = {
  linkIds: z.array(z.string().max(idCharsMax)).max(bulkRowsMax).optional(),
  externalIds: z.array(z.string().max(idCharsMax)).max(bulkRowsMax).optional(),
};

/** The same change for many links. What is one link's own cannot be changed for many. */
export const editManyBody = z.object({
  ...namedLinks,
  data: editLinkBody.omit({ key: true, domain: true, externalId: true }),
});

export const deleteManyBody = z.object(namedLinks);

const groupIds = z.array(z.string().max(idCharsMax)).max(groupLinksMax);
const groupTagIds = z.array(z.string().max(idCharsMax)).max(tagsMax).optional();

/** `ifFolder`: moves only those that are still in this folder; null: in none. */
const groupStep = z.strictObject({
  linkIds: groupIds,
  archived: z.boolean().optional(),
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

/** Changes of a link as people read them. */

export const historyPageSize = 20;

/** Without its sides: only that it changed is kept. */
export interface FieldChange {
  /** As a Link calls it. */
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
  /** Of the link when they were read. */
  revision: number;
  /** Older ones follow. */
  more: boolean;
  /** Of tags and folders that entries name, by their ids. */
  names: Record<string, string>;
}
