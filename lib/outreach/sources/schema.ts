import { z } from "zod";
import { pageSizeOf } from "#lib/basics/fields/schema";
import { columnsMax, delimiters } from "#lib/platform/tables/schema";

export const sourceBytesMax = 256 * 1024 * 1024;
export const sourcesMax = 1_000;
export const sourceBytesKeptMax = 8 * sourceBytesMax;
/** Counted from the end of a source, or from its upload if it was never started. */
export const sourceDays = 14;
export const previewRows = 100;
const nameCharsMax = 200;
const columnNameCharsMax = 50;
const pageSizeMax = 100;

const states = [
  "ready",
  "waiting",
  "running",
  "paused",
  "done",
  "failed",
  "cancelled",
  "undoing",
  "undone",
] as const;
export type SourceState = (typeof states)[number];

export const sourceSteps = ["start", "pause", "cancel", "undo"] as const;
export type SourceStep = (typeof sourceSteps)[number];

const column = z
  .int()
  .min(0)
  .max(columnsMax - 1);

export const sourceMapping = z.strictObject({
  phone: column.nullable().describe("The column with the phones, from 0."),
  messageId: column
    .nullable()
    .describe("The column with your message IDs. null: derived from the file and the line."),
  columns: z
    .record(z.string().max(columnNameCharsMax), column)
    .refine((given) => Object.keys(given).length <= columnsMax, {
      message: `Use at most ${columnsMax} columns.`,
    })
    .describe("The columns of the campaign, with their columns of the file."),
});
export type SourceMapping = z.output<typeof sourceMapping>;

export const uploadRecipientsQuery = z.object({
  name: z
    .string()
    .trim()
    .max(nameCharsMax, `Use at most ${nameCharsMax} characters.`)
    .default("recipients.csv")
    .describe("The file name."),
  delimiter: z
    .enum(delimiters)
    .optional()
    .describe("The delimiter between cells. Detected if omitted."),
});
export type UploadRecipients = z.output<typeof uploadRecipientsQuery>;

export const changeSourceBody = z.strictObject({
  heading: z.boolean().optional().describe("Whether the first line is the header."),
  mapping: sourceMapping.optional(),
});
export type ChangeSource = z.output<typeof changeSourceBody>;

const audiences = ["all", "clicked", "not_clicked"] as const;
export type Audience = (typeof audiences)[number];

export const addAudienceBody = z.strictObject({
  campaignId: z.string().max(64).describe("The other campaign."),
  audience: z
    .enum(audiences)
    .describe("clicked: its recipients who clicked. not_clicked: those who didn’t. Without bots."),
});
export type AddAudience = z.output<typeof addAudienceBody>;

export const listSourcesQuery = z.object({
  pageSize: pageSizeOf(pageSizeMax),
  startingAfter: z.string().max(64).optional().describe("The id of the last source of a page."),
});
export type ListSources = z.output<typeof listSourcesQuery>;

export const sourceShape = z.object({
  id: z.string(),
  campaignId: z.string(),
  kind: z.enum(["file", "campaign"]),
  name: z.string().describe("The file name, or the name of the other campaign."),
  audience: z.enum(audiences).nullable(),
  state: z.enum(states),
  rows: z.number().describe("Without the header."),
  done: z.number(),
  added: z.number().describe("Rows with a message."),
  refused: z.number(),
  heading: z.boolean(),
  mapping: sourceMapping.nullable(),
  problem: z.string().nullable().describe("Why it failed."),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  expiresAt: z.string().nullable().describe("When the file is deleted; null while it is used."),
});
export type RecipientSource = z.output<typeof sourceShape>;

export const sourcePreviewShape = z.object({
  obstacle: z.string().nullable().describe("What prevents the start."),
  columns: z.array(
    z.object({
      name: z.string(),
      samples: z.array(z.string()).describe("Only with the permission `people.view`."),
    }),
  ),
  rows: z.array(
    z.object({
      line: z.number().describe("Of the file, counted from 1."),
      phone: z.string().nullable().describe("Masked without `people.view`. null: invalid."),
      text: z.string().nullable().describe("The message. Only with `people.view`."),
      country: z.string().nullable(),
      parts: z.number().nullable(),
      code: z.string().nullable().describe("Why the row would be refused."),
      message: z.string().nullable(),
      column: z.string().nullable().describe("The column of the campaign that it is about."),
    }),
  ),
});
export type SourcePreview = z.output<typeof sourcePreviewShape>;
