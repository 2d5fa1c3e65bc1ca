import { z } from "zod";
import { valuesIn } from "#lib/basics/variants/schema";
import { gatewayKinds, kindOf } from "./kinds.ts";

export {
  type GatewayInput,
  type GatewayKindName,
  type GatewaySettings,
  type GatewayTemplate,
  gatewayKinds,
  kindOf,
} from "./kinds.ts";

const [first, ...others] = valuesIn(gatewayKinds);
export const gatewaySettings = z
  .discriminatedUnion("kind", [first.settings, ...others.map(({ settings }) => settings)])
  .superRefine((settings, context) => {
    const problem = kindOf(settings).problemOf?.(settings);
    if (!problem) return;
    const { setting, message } = problem;
    context.addIssue({ code: "custom", path: [setting], message });
  });

export const gatewaySecret = z
  .string()
  .regex(
    /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
    "Use letters, digits and symbols of ASCII only.",
  )
  .max(500);

export interface OutgoingMessage {
  /** Fuxi’s id of the message, which receipts may name. */
  messageId: string;
  phone: string;
  text: string;
  variables: Readonly<Record<string, string>>;
  /** The slug of its link, which no other message has. */
  slug: string;
}

/** The outcome of a call. `reason` may repeat the message, so it is never stored. */
export type SendOutcome =
  | { state: "accepted"; gatewayId: string | null }
  /** The gateway will not send it. `optedOut`: the recipient wants no messages. */
  | { state: "refused"; code: string; reason: string; optedOut: boolean }
  /** Certainly not sent; may be sent later. */
  | { state: "later"; code: string; reason: string; waitS: number | null }
  /** Certainly not sent. Nothing is sent until a person fixes the gateway or its account. */
  | { state: "stopped"; code: string; reason: string }
  /**
   * Perhaps sent. A receipt, the gateway or a person settles it later. `resend`: the gateway accepts
   * each id once, so the message is sent again.
   */
  | { state: "unknown"; code: string; reason: string; resend?: boolean };

export interface SentState {
  gatewayId: string | null;
  /** accepted: no receipt yet. */
  state: "accepted" | "delivered" | "failed" | "optedOut";
  code: string | null;
}

/** `refused`: the gateway responded, and `message` has its reason. */
export const gatewayCheckCodes = ["accepted", "refused", "unreachable", "body_invalid"] as const;
type GatewayCheckCode = (typeof gatewayCheckCodes)[number];

export interface GatewayCheck {
  ok: boolean;
  code: GatewayCheckCode;
  message: string;
}

export interface Receipt {
  /** The gateway's id, Fuxi's id, or both. */
  gatewayId: string | null;
  messageId: string | null;
  /** If a gateway uses one id for several messages: the numbers that the receipt may be about. */
  phones: readonly string[];
  /** other: the gateway’s own word for the state is in `reason`. */
  state: "delivered" | "failed" | "optedOut" | "other";
  reason: string | null;
}

export const receiptState = z
  .string()
  .min(1)
  .max(64)
  .describe(
    "delivered, failed or opted_out. Any other state is kept as the code of the message, and changes nothing else.",
  );

const receiptStates = new Map([
  ["delivered", "delivered"],
  ["failed", "failed"],
  ["opted_out", "optedOut"],
] as const);

export function eventOf({
  state,
  reason,
}: {
  state: string;
  reason?: string | undefined;
}): Pick<Receipt, "state" | "reason"> {
  const known = [...receiptStates].find(([name]) => name === state);
  return known ? { state: known[1], reason: reason ?? null } : { state: "other", reason: state };
}

export interface Reply {
  /** The E.164 numbers that it may come from. */
  phones: readonly string[];
  text: string;
}
