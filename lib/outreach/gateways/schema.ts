/** Settings of SMS gateways and what is known of their messages; safe in the browser. */
import { z } from "zod";
import { valuesIn } from "#lib/basics/variants/schema";
import { gatewayKinds } from "./kinds.ts";

export {
  type GatewayInput,
  type GatewayKindName,
  type GatewaySettings,
  type GatewayTemplate,
  gatewayKinds,
  kindOf,
} from "./kinds.ts";

const [first, ...others] = valuesIn(gatewayKinds);
export const gatewaySettings = z.discriminatedUnion("kind", [
  first.settings,
  ...others.map(({ settings }) => settings),
]);

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
