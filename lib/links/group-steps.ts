/** How links that a person selected are changed together. */
import { z } from "zod";

export const idCharsMax = 255;
/** Of one link. */
export const tagsMax = 50;
/** Of one transaction. */
export const groupLinksMax = 1_000;

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
    message: `Name at most ${groupLinksMax} links.`,
  });
export const groupOfLinks = groupIds;
