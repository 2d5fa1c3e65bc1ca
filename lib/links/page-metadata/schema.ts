/** What is asked of a destination, and what it says of itself. */
import { z } from "zod";
import { webAddress } from "#lib/platform/urls/schema";

export const suggestionBody = z.strictObject({ url: webAddress });

export const suggestionShape = z.object({
  title: z.string().nullable(),
  description: z.string().nullable(),
  /** An address of a picture. */
  image: z.string().nullable(),
});
export type Suggestion = z.output<typeof suggestionShape>;
