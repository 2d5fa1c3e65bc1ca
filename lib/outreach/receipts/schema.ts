import { z } from "zod";
import { receiptState } from "#lib/outreach/gateways/schema";

const receiptsMax = 1_000;
const messageIdCharsMax = 100;
const reasonCharsMax = 200;

export const receiptsBody = z.strictObject({
  receipts: z
    .array(
      z.strictObject({
        messageId: z.string().min(1).max(messageIdCharsMax),
        state: receiptState,
        reason: z
          .string()
          .max(reasonCharsMax)
          .optional()
          .describe("A code such as `30005`. Other texts are stored as `other`."),
      }),
    )
    .min(1)
    .max(receiptsMax),
});
export type Receipts = z.output<typeof receiptsBody>;

export const appliedReceiptsShape = z.object({
  applied: z.number().describe("Messages whose state changed."),
  repeated: z.number().describe("Messages that had a final state before."),
  unknown: z.number().describe("Receipts of messages that aren’t in this campaign."),
});
export type AppliedReceipts = z.output<typeof appliedReceiptsShape>;
