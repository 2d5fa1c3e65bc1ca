/** Settings of SMS gateways; safe in the browser. */
import { z } from "zod";

export const gatewayKinds = ["http", "twilio", "alibaba"] as const;
export type GatewayKind = (typeof gatewayKinds)[number];

/** Gateways with templates take variables instead of a text: the template was approved with the link as fixed text. */
export const templateKinds: ReadonlySet<GatewayKind> = new Set(["alibaba"]);

export const gatewayFieldsMax = 50;
export const gatewayBodyMax = 4_000;
const text = (max: number) => z.string().trim().min(1).max(max);
const secret = z.string().min(1).max(500);

/** What a body may contain in braces. */
export const gatewayPlaceholders = ["phone", "text", "messageId"] as const;

const httpSettings = z.strictObject({
  kind: z.literal("http"),
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  /** `json`: a JSON text with placeholders in its strings. `form`: fields with placeholders in their values. */
  format: z.enum(["json", "form"]),
  body: text(gatewayBodyMax),
  /** Name of the header that carries the secret, such as Authorization. */
  header: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/)
    .default("Authorization"),
  /** Path of the message id in a JSON response, such as data.id. */
  idPath: z.string().max(100).default(""),
  /** Path and value that mean success in a JSON response with status 200. Empty: the status decides. */
  okPath: z.string().max(100).default(""),
  okValue: z.string().max(100).default(""),
});

const twilioSettings = z.strictObject({
  kind: z.literal("twilio"),
  accountSid: z.string().regex(/^AC[0-9a-fA-F]{32}$/),
  /** A phone number in E.164, a short code, a sender name, or a messaging service (MG…). */
  sender: text(40),
});

const alibabaSettings = z.strictObject({
  kind: z.literal("alibaba"),
  accessKeyId: z.string().regex(/^[A-Za-z0-9._-]{8,128}$/),
  signName: text(50),
  templateCode: z.string().regex(/^SMS_[A-Za-z0-9]{1,30}$/),
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

export const gatewaySecret = secret;

/** One message, ready to be sent. */
export interface OutgoingMessage {
  /** Fuxi’s id of the message, which receipts may name. */
  messageId: string;
  /** In E.164. */
  phone: string;
  text: string;
  /** For templates: values by name. */
  variables: Readonly<Record<string, string>>;
}

/** What is known of a message after the gateway was called. */
export type SendOutcome =
  | { state: "accepted"; gatewayId: string | null }
  /** The gateway will not send it. `optedOut`: the recipient does not want messages. */
  | { state: "refused"; reason: string; optedOut: boolean }
  /** Certainly not sent; may be sent later. */
  | { state: "later"; reason: string; waitS: number | null }
  /** Certainly not sent, and neither will others be until a person changes the gateway or its account. */
  | { state: "stopped"; reason: string }
  /** Perhaps sent. Only a receipt or a person settles it. */
  | { state: "unknown"; reason: string };

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
