/** Any gateway that takes one message per POST, as JSON or as a form. */
import { z } from "zod";
import { fetchPublic, getPublic, type PostOutcome, postPublic } from "#lib/platform/safe-fetch";
import {
  type GatewayCall,
  type GatewayClient,
  type GatewayEvents,
  type GatewayOptions,
  outcomeWithout,
  parseJson,
  reasonOf,
  responseBytesMax,
  sendTimeoutMs,
  valueAt,
} from "./client.ts";
import type { SettingsOf } from "./kinds.ts";
import type { GatewayCheck, OutgoingMessage, SendOutcome, SentState } from "./schema.ts";

type HttpSettings = SettingsOf<"http">;

const contentTypes = {
  json: "application/json; charset=utf-8",
  form: "application/x-www-form-urlencoded",
} as const;

const accountStatuses = new Set([401, 402, 403, 404, 405, 407]);
/** Certainly not accepted. After a 503, the message may have been accepted. */
const laterStatuses = new Set([425, 429]);

export function httpGateway({ settings, secret }: GatewayOptions<HttpSettings>): GatewayClient {
  return {
    batchMax: 1,
    send: async (messages) => await Promise.all(messages.map((one) => send(settings, secret, one))),
    find: (message) => find(settings, secret, message),
    check: () => check(settings),
    read: readEvents,
    confirmation: { received: true },
  };
}

/** Undefined if the settings have no URL to ask, or the response has no known value. */
async function find(
  settings: HttpSettings,
  secret: string,
  message: OutgoingMessage,
): Promise<SentState | undefined> {
  const { statusUrl, statusPath, statusValues, header, idPath } = settings;
  if (statusUrl === "" || statusPath === "") return undefined;
  const outcome = await getPublic({
    url: statusUrl.replace(/\{(phone|messageId)\}|%7B(phone|messageId)%7D/gi, (_, plain, coded) =>
      encodeURIComponent((plain ?? coded) === "phone" ? message.phone : message.messageId),
    ),
    headers: { accept: "application/json", [header]: secret },
    timeoutMs: sendTimeoutMs,
    bytesMax: responseBytesMax,
  });
  if (outcome.kind !== "answered" || outcome.status !== 200) return undefined;
  const response = parseJson(outcome.body);
  const value = valueAt(response, statusPath);
  const state = (["accepted", "delivered", "failed"] as const).find(
    (one) => value !== null && statusValues[one].includes(value),
  );
  if (!state) return undefined;
  const gatewayId = idPath === "" ? null : valueAt(response, idPath);
  return { gatewayId, state, code: state === "failed" ? value : null };
}

const checkLimits = { timeoutMs: 10_000, bytesMax: 1_000, redirectsMax: 0 };

/** Sends a GET request without the secret: any response shows that the gateway can be reached. */
async function check(settings: HttpSettings): Promise<GatewayCheck> {
  const body = bodyOf(settings, { phone: "", text: "", messageId: "", variables: {}, slug: "" });
  if (body === undefined) {
    return { ok: false, code: "body_invalid", message: "The body isn’t valid JSON." };
  }
  let isReached = false;
  const outcome = await fetchPublic({
    url: settings.url,
    accept: "*/*",
    limits: checkLimits,
    open: () => {
      isReached = true;
      return undefined;
    },
  });
  const { ok, code } = { code: "", ...outcome };
  return ok || isReached || code === "status" || code === "redirects"
    ? {
        ok: true,
        code: "accepted",
        message: "The gateway can be reached. Send a test message to check the account.",
      }
    : { ok: false, code: "unreachable", message: "The gateway can’t be reached. Check the URL." };
}

async function send(
  settings: HttpSettings,
  secret: string,
  message: OutgoingMessage,
): Promise<SendOutcome> {
  const body = bodyOf(settings, message);
  if (body === undefined) {
    return { state: "stopped", code: "body_invalid", reason: "The body isn’t valid JSON" };
  }
  const outcome = await postPublic({
    url: settings.url,
    headers: { "content-type": contentTypes[settings.format], [settings.header]: secret },
    body,
    timeoutMs: sendTimeoutMs,
    bytesMax: responseBytesMax,
  });
  return outcomeOf(settings, outcome);
}

function bodyOf(
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

/** Replaces placeholders in strings only, so that no message can change the structure. */
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
  if (outcome.kind !== "answered") return outcomeWithout(outcome.kind, "The gateway");
  const { status, body, retryAfterS } = outcome;
  if (status >= 200 && status < 300) return acceptedOr(settings, body, status);
  const reason = reasonOf(body, status);
  const code = String(status);
  if (laterStatuses.has(status)) return { state: "later", code, reason, waitS: retryAfterS };
  if (accountStatuses.has(status)) return { state: "stopped", code, reason };
  // Includes redirects, because following one would send the message elsewhere.
  if (status < 500) return { state: "refused", code, reason, optedOut: false };
  return { state: "unknown", code, reason };
}

function acceptedOr(settings: HttpSettings, body: string, status: number): SendOutcome {
  const response = parseJson(body);
  const isOk = settings.okPath === "" || valueAt(response, settings.okPath) === settings.okValue;
  if (!isOk) {
    const code = valueAt(response, settings.okPath) ?? String(status);
    return { state: "refused", code, reason: reasonOf(body, status), optedOut: false };
  }
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

/** Receipts in Fuxi’s own form. The secret address of the gateway authenticates them. */
function readEvents({ body }: GatewayCall): GatewayEvents | undefined {
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
