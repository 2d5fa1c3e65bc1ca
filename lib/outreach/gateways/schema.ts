/** Settings of SMS gateways; safe in the browser. */
import { z } from "zod";

const gatewayBodyMax = 4_000;
const text = (max: number) => z.string().trim().min(1).max(max);
const variablesMax = 20;

const valuesMax = 20;
const values = z.array(z.string().min(1).max(100)).max(valuesMax).default([]);
const statusValues = z.strictObject({ accepted: values, delivered: values, failed: values });

const httpSettings = z.strictObject({
  kind: z.literal("http"),
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  format: z
    .enum(["json", "form"])
    .describe(
      "json: `body` is JSON, with placeholders in its strings. form: it is a query string.",
    ),
  body: text(gatewayBodyMax).describe(
    "The body of a request, with `{phone}`, `{text}` and `{messageId}` (the recipientId).",
  ),
  header: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, "Use the name of a header, such as Authorization.")
    .default("Authorization")
    .describe("The header with the secret."),
  idPath: z
    .string()
    .max(100)
    .default("")
    .describe("The path of the message id in a JSON response, such as `data.id`."),
  okPath: z
    .string()
    .max(100)
    .default("")
    .describe(
      "With `okValue`: a path in a JSON response with a status of 2xx and its value for success. Omitted: the status decides.",
    ),
  okValue: z.string().max(100).default(""),
  statusUrl: z
    .union([z.literal(""), z.url({ protocol: /^https?$/ }).max(2_000)])
    .default("")
    .describe(
      "Where Fuxi asks for a message whose response was lost: a GET request with the header, and `{messageId}` and `{phone}` in the URL. Omitted: it doesn’t ask.",
    ),
  statusPath: z
    .string()
    .max(100)
    .default("")
    .describe("The path of the state in a JSON response of `statusUrl`, such as `data.status`."),
  statusValues: statusValues
    .default({ accepted: [], delivered: [], failed: [] })
    .describe(
      "Which values of `statusPath` mean that the message was accepted, delivered or not delivered. Others settle nothing.",
    ),
});

const twilioSettings = z.strictObject({
  kind: z.literal("twilio"),
  accountSid: z.string().regex(/^AC[0-9a-fA-F]{32}$/, "Use the Account SID, which starts with AC."),
  sender: text(40).describe(
    "A phone number in E.164, a short code, a sender name, or a messaging service (MG…).",
  ),
});

const alibabaSettings = z.strictObject({
  kind: z.literal("alibaba"),
  accessKeyId: z.string().regex(/^[A-Za-z0-9._-]{8,128}$/, "Use the AccessKey ID."),
  signName: text(50).describe("The approved signature, without 【】."),
  templateCode: z
    .string()
    .regex(/^SMS_[A-Za-z0-9]{1,30}$/, "Use a template code such as SMS_123456789."),
  variables: z
    .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,29}$/), text(100))
    .refine((values) => Object.keys(values).length <= variablesMax, {
      message: `Use at most ${variablesMax} variables.`,
    })
    .default({ code: "{code}" })
    .describe(
      "The variables of the template: a text with columns in braces. `{code}` is the slug of the short link, because a variable must not have a URL.",
    ),
});

export const gatewaySettings = z.discriminatedUnion("kind", [
  httpSettings,
  twilioSettings,
  alibabaSettings,
]);
export type GatewaySettings = z.infer<typeof gatewaySettings>;
export type HttpSettings = z.infer<typeof httpSettings>;
export type TwilioSettings = z.infer<typeof twilioSettings>;
export type AlibabaSettings = z.infer<typeof alibabaSettings>;

/** An auth token, an AccessKey secret, or the value of a header: printable ASCII. */
export const gatewaySecret = z
  .string()
  .regex(
    /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
    "Use letters, digits and symbols of ASCII only.",
  )
  .max(500);

/** One message, ready to be sent. */
export interface OutgoingMessage {
  /** Fuxi’s id of the message, which receipts may name. */
  messageId: string;
  /** In E.164. */
  phone: string;
  text: string;
  /** For templates: values by name. */
  variables: Readonly<Record<string, string>>;
  /** Of its link: no other message has it. */
  slug: string;
}

/** What is known of a message after the gateway was called. `reason` may repeat the message, so it is never stored. */
export type SendOutcome =
  | { state: "accepted"; gatewayId: string | null }
  /** The gateway will not send it. `optedOut`: the recipient does not want messages. */
  | { state: "refused"; code: string; reason: string; optedOut: boolean }
  /** Certainly not sent; may be sent later. */
  | { state: "later"; code: string; reason: string; waitS: number | null }
  /** Certainly not sent, and neither will others be until a person changes the gateway or its account. */
  | { state: "stopped"; code: string; reason: string }
  /** Perhaps sent. A receipt, a question to the gateway or a person settles it. */
  | { state: "unknown"; code: string; reason: string };

/** What a gateway says about a message that it has. */
export interface SentState {
  gatewayId: string | null;
  /** accepted: there is no receipt yet. */
  state: "accepted" | "delivered" | "failed" | "optedOut";
  code: string | null;
}

/** `refused`: the gateway responded, and `message` has its reason. */
export const gatewayCheckCodes = ["accepted", "refused", "unreachable", "body_invalid"] as const;
type GatewayCheckCode = (typeof gatewayCheckCodes)[number];

/** The outcome of a check that sends nothing. */
export interface GatewayCheck {
  ok: boolean;
  code: GatewayCheckCode;
  /** What the gateway responded, or what is wrong. */
  message: string;
}

/** A delivery receipt. */
export interface Receipt {
  /** Id of the gateway, of Fuxi, or both. */
  gatewayId: string | null;
  messageId: string | null;
  /** Where a gateway has one id for several messages: the numbers in E.164 that its receipt may mean. */
  phones: readonly string[];
  state: "delivered" | "failed" | "optedOut";
  reason: string | null;
}

/** A reply of a recipient. */
export interface Reply {
  /** The numbers in E.164 that it may come from. */
  phones: readonly string[];
  text: string;
}
