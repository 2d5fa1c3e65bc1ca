/** Links of all workspaces that the lists of the instance would refuse now. */
import { z } from "zod";
import { reasonField } from "#lib/tenancy/operators/schema";

export const refusedMax = 100;
const nameCharsMax = 100;
const cursorCharsMax = 100;

const workspace = z.string().trim().min(1).max(nameCharsMax);

export const refusedQuery = z.object({
  workspace: workspace.optional().describe("Only of this workspace, by ID or slug."),
  startingAfter: z
    .string()
    .max(cursorCharsMax)
    .optional()
    .describe("`next` of the previous call. Omitted: from the oldest workspace."),
});
export type RefusedQuery = z.output<typeof refusedQuery>;

export const refusedLinkShape = z.object({
  id: z.string(),
  shortLink: z.string(),
  host: z.string().describe("The host of the refused destination."),
  list: z.enum(["allow", "block"]),
  workspace: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
});
export type RefusedLink = z.output<typeof refusedLinkShape>;

export const refusedLinksShape = z.object({
  links: z.array(refusedLinkShape).describe("By workspace, newest first."),
  checked: z.number().describe("Links that this call has checked."),
  next: z.string().nullable().describe("Where the next call continues; null at the end."),
});
export type RefusedLinks = z.output<typeof refusedLinksShape>;

export const disableRefusedBody = z.strictObject({
  workspace: workspace.nullish().describe("Only of this workspace, by ID or slug."),
  reason: reasonField,
});
export type DisableRefused = z.output<typeof disableRefusedBody>;

export const refusedJobShape = z.object({
  id: z.string(),
  state: z.enum(["running", "done"]),
  workspaceId: z.string().nullable().describe("null: all workspaces."),
  checked: z.number().describe("Links checked so far."),
  disabled: z.number().describe("Links turned off so far."),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
});
export type RefusedJob = z.output<typeof refusedJobShape>;
