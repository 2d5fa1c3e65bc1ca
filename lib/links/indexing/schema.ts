import { z } from "zod";

export const searchBacklog = z
  .object({
    links: z
      .int()
      .describe(
        "New links that are not searchable yet. Up to 10,000 of each workspace are counted.",
      ),
    seconds: z.int().describe("Seconds since the first of them was created."),
    workspaces: z.int().describe("Workspaces whose older links of API keys are being added."),
  })
  .describe("Links of API keys that wait for the search index.");
export type SearchBacklog = z.infer<typeof searchBacklog>;

export interface SearchBounds {
  /** How many of the newest links of API keys a search finds. Null: all of them. */
  apiLinks: number | null;
  /** Whether there are links of recipients, which a search finds by exact values only. */
  recipients: boolean;
}
