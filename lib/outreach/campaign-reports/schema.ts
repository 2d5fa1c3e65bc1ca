import { z } from "zod";

const comparedMin = 2;
export const comparedMax = 5;
const idCharsMax = 64;

/** A first click this soon after the receipt probably comes from a link checker on the phone. */
export const checkerSeconds = 10;
/** Seconds until the first click: the lower bound of every step but the first. */
export const delaySteps = [60, 300, 900, 3_600, 21_600, 86_400, 604_800] as const;

const figures = {
  recipients: z.number().describe("Recipients with a message."),
  refused: z.number().describe("Messages that were certainly not sent."),
  sent: z.number().describe("Messages that the gateway accepted, delivered or not."),
  delivered: z.number(),
  failed: z.number().describe("Accepted, but not delivered."),
  unknown: z.number().describe("Perhaps sent."),
  optedOut: z
    .number()
    .nullable()
    .describe(
      "Recipients who opted out after their message was sent, or added where Fuxi doesn’t send. null: their phones are erased.",
    ),
  clicked: z.number().describe("Recipients who clicked, without bots."),
  clicks: z.number().describe("Their clicks, without bots."),
  clickedAtDelivery: z
    .number()
    .describe(
      `Of those who clicked, recipients whose first click was within ${checkerSeconds} seconds of the delivery receipt: probably a link checker.`,
    ),
  clickRate: z
    .number()
    .nullable()
    .describe("Share of the messages in `rateOf` whose recipients clicked, from 0 to 1."),
  parts: z.number().describe("Parts of all messages."),
  cost: z
    .string()
    .nullable()
    .describe(
      "The cost of all messages whose parts have a price, based on the prices of the campaign.",
    ),
};

export const campaignReportShape = z.object({
  campaignId: z.string(),
  name: z.string(),
  rowsRefused: z.number().describe("Rows that got no message."),
  rateOf: z
    .enum(["delivered", "sent", "recipients"])
    .describe(
      "What click rates are computed of: delivered messages where receipts exist, otherwise messages that were sent, otherwise all.",
    ),
  currency: z.string().nullable(),
  ...figures,
  variants: z.array(z.object({ name: z.string(), ...figures })),
  firstClicks: z
    .array(
      z.object({
        fromSeconds: z.number(),
        untilSeconds: z.number().nullable().describe("Exclusive. null: later, without an end."),
        recipients: z.number(),
      }),
    )
    .describe(
      "Time from the message to the first click, from when the recipient was added where Fuxi doesn’t send. Without links that were clicked before Fuxi recorded first clicks.",
    ),
  codes: z
    .array(
      z.object({
        state: z.enum(["refused", "failed", "unknown", "later"]),
        code: z.string(),
        messages: z.number(),
      }),
    )
    .describe("Why messages were not sent or delivered, the most frequent first."),
});
export type CampaignReport = z.output<typeof campaignReportShape>;

/** The units of first clicks: hours up to hoursDaysMax, days up to daysDaysMax, then months. */
export const hoursDaysMax = 14;
export const daysDaysMax = 400;
export const citiesMax = 50;

const recipients = z.number();

export const detailedReportShape = campaignReportShape.extend({
  clicksByTime: z
    .object({
      unit: z.enum(["hour", "day", "month"]),
      timezone: z.string().describe("The time zone of the workspace."),
      buckets: z.array(z.object({ start: z.string(), recipients })),
    })
    .describe(
      `Recipients by the time of their first click: hours where first clicks span up to ${hoursDaysMax} days, days up to ${daysDaysMax} days, otherwise months.`,
    ),
  located: z
    .number()
    .describe(
      "Recipients whose first click is still stored with its location and device, as long as your plan keeps clicks. `countries`, `cities` and `devices` count these.",
    ),
  countries: z
    .array(z.object({ country: z.string(), recipients }))
    .describe("Countries of first clicks, the most frequent first. Empty text: unknown."),
  cities: z
    .array(z.object({ country: z.string(), city: z.string(), recipients }))
    .describe(`The ${citiesMax} most frequent cities of first clicks.`),
  devices: z
    .array(z.object({ device: z.string(), recipients }))
    .describe("Devices of first clicks."),
});
export type DetailedReport = z.output<typeof detailedReportShape>;

export const reportQuery = z.object({
  format: z
    .enum(["json", "csv"], "Use json or csv.")
    .default("json")
    .describe("JSON, or CSV with one number per line."),
});

const idsProblem = `Use the ids of ${comparedMin} to ${comparedMax} different campaigns, separated by commas.`;

export const compareCampaignsQuery = z.object({
  campaignIds: z
    .string()
    .max((idCharsMax + 1) * comparedMax)
    .transform((text) => text.split(","))
    .refine(
      (ids) =>
        ids.length >= comparedMin && ids.length <= comparedMax && new Set(ids).size === ids.length,
      { message: idsProblem },
    )
    .describe(`The ids of ${comparedMin} to ${comparedMax} campaigns, separated by commas.`),
});
export type CompareCampaigns = z.output<typeof compareCampaignsQuery>;
