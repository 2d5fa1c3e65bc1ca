import type { z } from "zod";
import type { PrivateNetwork } from "#lib/platform/config";
import { issueMessage } from "#lib/platform/errors";
import type {
  GatewayCheck,
  OutgoingMessage,
  Receipt,
  Reply,
  SendOutcome,
  SentState,
} from "./schema.ts";

export interface GatewayCall {
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

export interface GatewayEvents {
  receipts: Receipt[];
  replies: Reply[];
  /** The invalid fields of the call, such as `receipts.3.state: …`. Everything else is valid. */
  problem?: string | undefined;
}

export interface GatewayOptions<Settings> {
  workspacePk: number;
  settings: Settings;
  secret: string;
  callback: string;
  /** Private networks that its requests may reach. */
  networks: readonly PrivateNetwork[];
}

export interface GatewayClient {
  readonly batchMax: number;
  /** One outcome per message, in order. Never throws. */
  send: (messages: readonly OutgoingMessage[]) => Promise<SendOutcome[]>;
  /** What became of a message whose response was lost; undefined if this is uncertain. */
  find: (message: OutgoingMessage, attemptedAt: Date) => Promise<SentState | undefined>;
  check: () => Promise<GatewayCheck>;
  /** Receipts and replies; undefined if the signature is wrong. */
  read: (call: GatewayCall) => GatewayEvents | undefined;
  readonly confirmation: object | null;
}

/** The outcome of a call without an answer: not sent at all, or perhaps sent. */
export function outcomeWithout(kind: "unsent" | "unseen", gateway: string): SendOutcome {
  if (kind === "unseen") {
    return { state: "unknown", code: "no_response", reason: `${gateway}’s response was lost` };
  }
  const reason = `${gateway} can’t be reached`;
  return { state: "later", code: "unreachable", reason, waitS: null };
}

export const sendTimeoutMs = 15_000;
export const responseBytesMax = 64_000;
export const listBytesMax = 1_000_000;
const reasonMax = 200;

export function reasonOf(text: string, status?: number): string {
  const plain = text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, reasonMax);
  const prefix = status === undefined ? "" : `${status}: `;
  return plain === "" ? `Status ${status ?? "unknown"}` : prefix + plain;
}

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

const problemsShown = 10;

/** Reads each row by itself, so that an invalid one does not cost the others. */
export function readRows<Row>(
  path: readonly string[],
  given: readonly unknown[],
  shapeOf: (row: unknown) => z.ZodType<Row>,
): { rows: Row[]; problem: string | undefined } {
  const parsed = given.map((row) => shapeOf(row).safeParse(row));
  const issues = parsed.flatMap(({ error }, at) =>
    (error?.issues ?? []).map((issue) => ({ ...issue, path: [...path, at, ...issue.path] })),
  );
  return {
    rows: parsed.flatMap(({ success, data }) => (success ? [data] : [])),
    problem:
      issues.length === 0 ? undefined : issues.slice(0, problemsShown).map(issueMessage).join(" "),
  };
}
