import { z } from "zod";
import { receiptState } from "#lib/outreach/gateways/schema";

const receiptsMax = 1_000;
const messageIdCharsMax = 100;
const reasonCharsMax = 200;

export const receiptRow = z.strictObject({
  messageId: z.string().min(1).max(messageIdCharsMax),
  state: receiptState,
  reason: z
    .string()
    .max(reasonCharsMax)
    .optional()
    .describe("A code such as `30005`. Other texts are stored as `other`."),
});
const bodyOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ receipts: z.array(row).min(1).max(receiptsMax) });
export const receiptsBody = bodyOf(receiptRow);
/** Each row is checked by itself. */
export const uncheckedReceipts = bodyOf(z.unknown());
export type UncheckedReceipts = z.output<typeof uncheckedReceipts>;

export const appliedReceiptsShape = z.object({
  applied: z.number().describe("Messages whose state changed."),
  repeated: z.number().describe("Messages that had a final state before."),
  unknown: z.number().describe("Receipts of messages that aren’t in this campaign."),
});
export type AppliedReceipts = z.output<typeof appliedReceiptsShape>;
