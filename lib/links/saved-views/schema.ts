import { z } from "zod";

/** Per person and workspace. */
export const savedViewsMax = 50;
export const nameCharsMax = 64;
const searchCharsMax = 4_000;

export const newSavedView = z.strictObject({
  name: z.string().trim().min(1).max(nameCharsMax),
  search: z.string().max(searchCharsMax),
  shared: z.boolean(),
});
export type NewSavedView = z.output<typeof newSavedView>;

export interface SavedView extends NewSavedView {
  id: string;
  mayDelete: boolean;
}
