import { z } from "zod";
import { webUrl } from "#lib/basics/fields/schema";

export const suggestionBody = z.strictObject({ url: webUrl });

export const suggestionShape = z.object({
  title: z.string().nullable(),
  description: z.string().nullable(),
  image: z.string().nullable(),
});
export type Suggestion = z.output<typeof suggestionShape>;
