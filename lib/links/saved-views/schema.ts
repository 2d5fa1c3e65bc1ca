/** Saved views of the list of links: the filters of a list under a name. */
import { z } from "zod";

/** Of one person in one workspace. */
export const savedViewsMax = 50;
export const nameCharsMax = 64;
const searchCharsMax = 4_000;

export const newSavedView = z.strictObject({
  name: z.string().trim().min(1).max(nameCharsMax),
  /** The parameters of the list. */
  search: z.string().max(searchCharsMax),
  /** Visible to the whole workspace. */
  shared: z.boolean(),
});
export type NewSavedView = z.output<typeof newSavedView>;

export interface SavedView extends NewSavedView {
  id: string;
  /** The actor may delete it. */
  mayDelete: boolean;
}
