import type {
  GatewayCheck,
  OutgoingMessage,
  Receipt,
  Reply,
  SendOutcome,
  SentState,
} from "./schema.ts";

/** A request of a gateway, as it arrived. */
export interface GatewayCall {
  /** The URL that the gateway called, with its query. */
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

export interface GatewayEvents {
  receipts: Receipt[];
  replies: Reply[];
}

export interface GatewayOptions<Settings> {
  settings: Settings;
  secret: string;
  /** The address of this gateway at Fuxi, which receives receipts and replies. */
  callback: string;
}

export interface GatewayClient {
  /** Messages of one call. */
  readonly batchMax: number;
  /** An outcome per message, in order. Throws nothing: what is not known is an outcome too. */
  send: (messages: readonly OutgoingMessage[]) => Promise<SendOutcome[]>;
  /**
   * What became of a message whose response was lost. Undefined: the gateway cannot tell, or not yet, or not for certain.
   * Sends no message.
   */
  find: (message: OutgoingMessage, attemptedAt: Date) => Promise<SentState | undefined>;
  /** Whether the gateway can be reached and accepts the account. Sends no message. */
  check: () => Promise<GatewayCheck>;
  /** Receipts and replies. Undefined: the call is forged or cannot be read. */
  read: (call: GatewayCall) => GatewayEvents | undefined;
  /** What it expects as the response to receipts and replies; null: nothing. */
  readonly confirmation: object | null;
}

/** Codes of outcomes without a response. */
export const unreachableCode = "unreachable";
export const lostCode = "no_response";

export const sendTimeoutMs = 15_000;
export const responseBytesMax = 64_000;
/** Of a list of messages. */
export const listBytesMax = 1_000_000;
const reasonMax = 200;

/** A reason from a response, without line breaks, as long as people read it. */
export function reasonOf(text: string, status?: number): string {
  const plain = text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, reasonMax);
  const prefix = status === undefined ? "" : `${status}: `;
  return plain === "" ? `Status ${status ?? "unknown"}` : prefix + plain;
}

/** The value at a path such as `data.0.id`, as text. */
export function valueAt(value: unknown, path: string): string | null {
  let found: unknown = value;
  for (const step of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return null;
    found = Reflect.get(found, step);
  }
  return typeof found === "string" || typeof found === "number" || typeof found === "boolean"
    ? String(found)
    : null;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
