/** Any gateway that takes one message per POST, as JSON or as a form. */
import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { type PostOutcome, postPublic } from "#lib/platform/safe-fetch";
import {
  type GatewayCall,
  type GatewayClient,
  type GatewayEvents,
  parseJson,
  reasonOf,
  responseBytesMax,
  sendTimeoutMs,
  valueAt,
} from "./client.ts";
import type { HttpSettings, OutgoingMessage, SendOutcome } from "./schema.ts";

const contentTypes = {
  json: "application/json; charset=utf-8",
  form: "application/x-www-form-urlencoded",
} as const;

/** Refuses the whole account, not one message. */
const accountStatuses = new Set([401, 402, 403, 404, 405, 407]);
/** Certainly not accepted. A 503 may also come after the message was. */
const laterStatuses = new Set([425, 429]);

export function httpGateway(settings: HttpSettings, secret: string): GatewayClient {
  return {
    batchMax: 1,
    send: async (messages) => await Promise.all(messages.map((one) => send(settings, secret, one))),
    read: (call) => readEvents(secret, call),
  };
}

async function send(
  settings: HttpSettings,
  secret: string,
  message: OutgoingMessage,
): Promise<SendOutcome> {
  const body = bodyOf(settings, message);
  if (body === undefined) return { state: "stopped", reason: "The body isn’t valid JSON" };
  const outcome = await postPublic({
    url: settings.url,
    headers: { "content-type": contentTypes[settings.format], [settings.header]: secret },
    body,
    timeoutMs: sendTimeoutMs,
    bytesMax: responseBytesMax,
  });
  return outcomeOf(settings, outcome);
}

/** The body with its placeholders replaced. Undefined: its JSON cannot be read. */
export function bodyOf(
  { format, body }: Pick<HttpSettings, "format" | "body">,
  message: OutgoingMessage,
): string | undefined {
  if (format === "form") {
    const fields = new URLSearchParams(body);
    return new URLSearchParams(
      [...fields].map(([name, value]) => [name, fill(value, message)]),
    ).toString();
  }
  const parsed = parseJson(body);
  return parsed === undefined ? undefined : JSON.stringify(filled(parsed, message));
}

/** Only strings are replaced, so that no message can change the structure. */
function filled(value: unknown, message: OutgoingMessage): unknown {
  if (typeof value === "string") return fill(value, message);
  if (Array.isArray(value)) return value.map((one) => filled(one, message));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, filled(one, message)]),
  );
}

function fill(text: string, { phone, text: message, messageId }: OutgoingMessage): string {
  const values: Readonly<Record<string, string>> = { phone, text: message, messageId };
  return text.replace(/\{(phone|text|messageId)\}/g, (_, name: string) => values[name] ?? "");
}

function outcomeOf(settings: HttpSettings, outcome: PostOutcome): SendOutcome {
  if (outcome.kind === "unsent")
    return { state: "later", reason: "The gateway can’t be reached", waitS: null };
  if (outcome.kind === "unseen")
    return { state: "unknown", reason: "The gateway’s response was lost" };
  const { status, body, retryAfterS } = outcome;
  if (status >= 200 && status < 300) return acceptedOr(settings, body, status);
  const reason = reasonOf(body, status);
  if (laterStatuses.has(status)) return { state: "later", reason, waitS: retryAfterS };
  if (accountStatuses.has(status)) return { state: "stopped", reason };
  // A redirect is not followed with a message in it.
  if (status < 500) return { state: "refused", reason, optedOut: false };
  return { state: "unknown", reason };
}

function acceptedOr(settings: HttpSettings, body: string, status: number): SendOutcome {
  const response = parseJson(body);
  const isOk = settings.okPath === "" || valueAt(response, settings.okPath) === settings.okValue;
  if (!isOk) return { state: "refused", reason: reasonOf(body, status), optedOut: false };
  return {
    state: "accepted",
    gatewayId: settings.idPath === "" ? null : valueAt(response, settings.idPath),
  };
}

const eventsSchema = z.object({
  receipts: z
    .array(
      z.object({
        messageId: z.string().max(100).optional(),
        gatewayId: z.string().max(100).optional(),
        state: z.enum(["delivered", "failed", "opted_out"]),
        reason: z.string().max(200).optional(),
      }),
    )
    .max(1_000)
    .default([]),
  replies: z
    .array(z.object({ phone: z.string().max(40), text: z.string().max(1_000) }))
    .max(1_000)
    .default([]),
});

/** Receipts in Fuxi’s own form, with the secret of the gateway in its header. */
function readEvents(secret: string, { headers, body }: GatewayCall): GatewayEvents | undefined {
  if (!isSame(headers["authorization"] ?? "", secret)) return undefined;
  const parsed = eventsSchema.safeParse(parseJson(body));
  if (!parsed.success) return undefined;
  const { receipts, replies } = parsed.data;
  return {
    receipts: receipts.map(({ messageId, gatewayId, state, reason }) => ({
      messageId: messageId ?? null,
      gatewayId: gatewayId ?? null,
      phones: [],
      state: state === "opted_out" ? ("optedOut" as const) : state,
      reason: reason ?? null,
    })),
    replies: replies.map(({ phone, text }) => ({ phones: [phone], text })),
  };
}

function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
