import { z } from "zod";
import { nameOf } from "#lib/basics/fields/schema";
import {
  gatewayCheckCodes,
  gatewayKinds,
  gatewaySecret,
  gatewaySettings,
  kindOf,
} from "#lib/outreach/gateways/schema";

const nameCharsMax = 100;
export const rateMax = 500;
export const rateDefault = 10;

const name = nameOf(nameCharsMax);

const rateField = z
  .int()
  .min(1)
  .max(rateMax)
  .describe("Messages per second, of all campaigns together.");

const secret = gatewaySecret.describe(
  `${Object.entries(gatewayKinds)
    .map(([kind, { secret: meant }]) => `${kind}: ${meant ?? "none; omit it"}.`)
    .join(" ")} It’s encrypted, and never shown again.`,
);

export const createGatewayBody = z
  .strictObject({
    name,
    settings: gatewaySettings,
    secret: secret.optional(),
    rate: rateField.default(rateDefault),
  })
  .refine(({ settings, secret }) => secret !== undefined || kindOf(settings).secret === null, {
    path: ["secret"],
    message: "Enter the secret of the account.",
  });
export type NewGateway = z.output<typeof createGatewayBody>;

export const editGatewayBody = z
  .strictObject({
    name,
    settings: gatewaySettings.describe(
      "All settings. `secret` is required when the account or the URL changes.",
    ),
    secret,
    rate: rateField,
    newReceiptUrl: z
      .literal(true)
      .describe("Replaces the URL for receipts and replies. The previous one stops working."),
  })
  .partial();
export type EditGateway = z.output<typeof editGatewayBody>;

export const gatewayShape = z.object({
  id: z.string(),
  name: z.string(),
  settings: gatewaySettings,
  rate: rateField,
  receiptUrl: z
    .string()
    .nullable()
    .describe(
      "Receives receipts and replies. It’s secret: null for all but owners and admins, and for gateways without receipts.",
    ),
  createdAt: z.string(),
});
export type Gateway = z.output<typeof gatewayShape>;

export interface OpenCampaign {
  gatewayId: string;
  id: string;
  name: string;
  state: "scheduled" | "sending" | "paused";
}

export const gatewayCheckShape = z.object({
  ok: z.boolean(),
  code: z
    .enum(gatewayCheckCodes)
    .describe("refused: the gateway responded, and `message` has its reason."),
  message: z.string().describe("The response of the gateway, or the problem."),
});
