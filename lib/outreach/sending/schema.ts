import { z } from "zod";
import { moment, pageSizeOf } from "#lib/basics/fields/schema";
import { dayMs } from "#lib/basics/time/schema";
import { rateMax } from "#lib/outreach/gateway-accounts/schema";

const pageSizeMax = 1_000;
const settledMax = 1_000;
const messageIdCharsMax = 100;
const phoneCharsMax = 40;
const delayDaysMax = 90;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Use a time of day such as 21:00.");

export const quietHoursShape = z
  .strictObject({ from: timeOfDay, until: timeOfDay })
  .refine(({ from, until }) => from !== until, { message: "Use two different times." });
export type QuietHours = z.output<typeof quietHoursShape>;

export const startSendingBody = z.strictObject({
  gatewayId: z.string().max(64),
  at: moment
    .refine((at) => Date.parse(at) <= Date.now() + delayDaysMax * dayMs, {
      message: `Use a time in the next ${delayDaysMax} days.`,
    })
    .optional()
    .describe("When to start. Omitted or in the past: now."),
  rate: z
    .int()
    .min(1)
    .max(rateMax)
    .describe("Messages per second. The rate of the gateway applies too."),
  quietHours: quietHoursShape
    .optional()
    .describe(
      "No message is sent at these hours in any time zone of the recipient’s country. For phone numbers without a country, the time zone of the workspace applies.",
    ),
});
export type StartSending = z.output<typeof startSendingBody>;

export const sendStates = [
  "due",
  "attempting",
  "later",
  "accepted",
  "refused",
  "unknown",
  "delivered",
  "failed",
] as const;
export type SendState = (typeof sendStates)[number];

const counts = z.object({
  due: z.number().describe("Not attempted yet."),
  attempting: z.number().describe("Being sent."),
  later: z
    .number()
    .describe(
      "Fuxi sends it again later: the gateway was busy or away, or accepts each message once.",
    ),
  accepted: z.number().describe("Accepted by the gateway, without a receipt yet."),
  refused: z.number().describe("Certainly not sent."),
  unknown: z
    .number()
    .describe(
      "Possibly sent. Fuxi doesn’t send it again by itself: it asks the gateway if that is possible; otherwise a receipt or a person settles it.",
    ),
  delivered: z.number(),
  failed: z.number().describe("Accepted, but not delivered."),
});

export const sendingShape = z.object({
  state: z.enum(["draft", "scheduled", "sending", "paused", "finished", "cancelled"]),
  gatewayId: z.string().nullable(),
  startsAt: z.string().nullable(),
  rate: z.number().nullable(),
  quietHours: z.object({ from: z.string(), until: z.string() }).nullable(),
  reason: z
    .string()
    .nullable()
    .describe("Why the campaign paused by itself: the code of the gateway, or `gateway_deleted`."),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  pace: z
    .object({
      lastMinute: z.number().describe("Messages that the gateway was given in the last minute."),
      rate: z.number().describe("Messages per second that the gateway and the campaign allow."),
      limit: z
        .enum(["gateway", "campaign", "busy", "quiet_hours"])
        .describe(
          "What limits the rate. gateway and campaign: their `rate`. busy: the gateway was busy or away, such as after a 429, so sending waits. quiet_hours: it’s quiet at all recipients who are left.",
        ),
      until: z.string().nullable().describe("busy and quiet_hours: when sending continues."),
      secondsLeft: z.number().describe("An estimate from the last minute."),
    })
    .nullable()
    .describe("While the campaign is being sent."),
  counts,
  codes: z
    .array(z.object({ state: z.enum(sendStates), code: z.string(), rows: z.number() }))
    .describe(
      "Reasons of refused, failed, unknown and later messages, and states of receipts that Fuxi doesn’t know.",
    ),
});
export type Sending = z.output<typeof sendingShape>;

export const dryRunShape = z.object({
  messages: z.number().describe("Messages that would be sent."),
  parts: z.number(),
  cost: z.string().nullable().describe("Based on the prices of the campaign."),
  currency: z.string().nullable(),
  seconds: z.number().describe("At least this long, without quiet hours."),
  refused: z
    .array(z.object({ code: z.string(), rows: z.number() }))
    .describe("Messages that would not be sent."),
  countries: z.array(
    z.object({
      country: z.string(),
      messages: z.number(),
      parts: z.number(),
      cost: z.string().nullable(),
    }),
  ),
});
export type DryRun = z.output<typeof dryRunShape>;

export const testMessageBody = z.strictObject({
  gatewayId: z.string().max(64),
  phone: z.string().max(phoneCharsMax).describe("The phone number that gets the test, in E.164."),
  messageId: z
    .string()
    .max(messageIdCharsMax)
    .optional()
    .describe("The recipient whose message is sent. Omitted: the first recipient."),
});
export type TestMessage = z.output<typeof testMessageBody>;

export const testedMessageShape = z.object({
  state: z.enum(["accepted", "refused", "later", "stopped", "unknown"]),
  code: z.string().nullable(),
  reason: z.string().nullable().describe("The response of the gateway. It isn’t stored."),
  text: z.string(),
});
export type TestedMessage = z.output<typeof testedMessageShape>;

export const listSendsQuery = z.object({
  pageSize: pageSizeOf(pageSizeMax, 100),
  startingAfter: z.coerce
    .number()
    .int()
    .min(0)
    .max(2_147_483_647)
    .default(0)
    .describe("The position of the last message of a page."),
  state: z.enum(sendStates).optional().describe("Only messages in this state."),
});
export type ListSends = z.output<typeof listSendsQuery>;

export const sendShape = z.object({
  position: z.number(),
  recipientId: z.string(),
  messageId: z.string(),
  state: z.enum(sendStates),
  code: z.string().nullable().describe("Why it was not sent or delivered."),
  attempts: z.number(),
  attemptedAt: z.string().nullable(),
  settledAt: z.string().nullable(),
});
export type Send = z.output<typeof sendShape>;

export const settleBody = z.strictObject({
  messageIds: z.array(z.string().max(messageIdCharsMax)).min(1).max(settledMax),
  as: z
    .enum(["sent", "again"])
    .describe("sent: the gateway has sent them. again: it hasn’t, so Fuxi sends them again."),
});
export type Settle = z.output<typeof settleBody>;

export const settledShape = z.object({
  settled: z.number().describe("Unknown messages that were settled."),
});
