import { z } from "zod";
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

/** With `ifFolder`, moves only links that are in this folder. Null: in no folder. */
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
