/** Any gateway that takes one message per POST, as JSON or as a form. */
import { z } from "zod";
import { issueMessage } from "#lib/platform/errors";
import { getPublic, type PostOutcome, postPublic } from "#lib/platform/safe-fetch";
import {
  type GatewayCall,
  type GatewayClient,
  type GatewayEvents,
  type GatewayOptions,
  outcomeWithout,
  parseJson,
  readRows,
  reasonOf,
  responseBytesMax,
  sendTimeoutMs,
  valueAt,
} from "./client.ts";
import type { SettingsOf } from "./kinds.ts";
import {
  eventOf,
  type GatewayCheck,
  type OutgoingMessage,
  receiptState,
  type SendOutcome,
  type SentState,
} from "./schema.ts";

type HttpSettings = SettingsOf<"http">;

const contentTypes = {
  json: "application/json; charset=utf-8",
  form: "application/x-www-form-urlencoded",
} as const;

const accountStatuses = new Set([401, 402, 403, 404, 405, 407]);
/** Certainly not accepted. After a 503, the message may have been accepted. */
const laterStatuses = new Set([425, 429]);

type HttpOptions = Pick<GatewayOptions<HttpSettings>, "settings" | "secret" | "networks">;

export function httpGateway(options: HttpOptions): GatewayClient {
  return {
    batchMax: 1,
    send: async (messages) => await Promise.all(messages.map((one) => send(options, one))),
    find: (message) => find(options, message),
    check: () => check(options),
    read: readEvents,
    confirmation: { received: true },
  };
}

/** Undefined if the settings have no URL to ask, or the response has no known value. */
async function find(
  { settings, secret, networks }: HttpOptions,
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
    networks,
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

const checkTimeoutMs = 10_000;
const checkBytesMax = 1_000;

/** Sends a GET request without the secret: any response shows that the gateway can be reached. */
async function check({ settings, networks }: HttpOptions): Promise<GatewayCheck> {
  const body = bodyOf(settings, { phone: "", text: "", messageId: "", variables: {}, slug: "" });
  if (body === undefined) {
    return { ok: false, code: "body_invalid", message: "The body isn’t valid JSON." };
  }
  const outcome = await getPublic({
    url: settings.url,
    headers: {},
    timeoutMs: checkTimeoutMs,
    bytesMax: checkBytesMax,
    networks,
  });
  return outcome.kind === "answered"
    ? {
        ok: true,
        code: "accepted",
        message: "The gateway can be reached. Send a test message to check the account.",
      }
    : { ok: false, code: "unreachable", message: "The gateway can’t be reached. Check the URL." };
}

async function send(
  { settings, secret, networks }: HttpOptions,
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
    networks,
  });
  const result = outcomeOf(settings, outcome);
  return result.state === "unknown"
    ? { ...result, resend: settings.afterError === "resend" }
    : result;
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

const rowsMax = 1_000;
const eventsShape = z
  .object({
    receipts: z.array(z.unknown()).max(rowsMax).optional(),
    replies: z.array(z.unknown()).max(rowsMax).optional(),
  })
  .refine(({ receipts, replies }) => receipts ?? replies, {
    path: ["receipts"],
    message: "Send receipts, replies or both.",
  });
const receiptShape = z
  .object({
    messageId: z.string().max(100).optional(),
    gatewayId: z.string().max(100).optional(),
    state: receiptState,
    reason: z.string().max(200).optional(),
  })
  .refine(({ messageId, gatewayId }) => messageId ?? gatewayId, {
    path: ["messageId"],
    message: "Send messageId or gatewayId.",
  });
const replyShape = z.object({ phone: z.string().max(40), text: z.string().max(1_000) });

/** Receipts in Fuxi’s own form. The secret address of the gateway authenticates them. */
function readEvents({ body }: GatewayCall): GatewayEvents {
  const parsed = eventsShape.safeParse(parseJson(body));
  if (!parsed.success) {
    return { receipts: [], replies: [], problem: issueMessage(parsed.error.issues[0]) };
  }
  const receipts = readRows(["receipts"], parsed.data.receipts ?? [], () => receiptShape);
  const replies = readRows(["replies"], parsed.data.replies ?? [], () => replyShape);
  return {
    receipts: receipts.rows.map(({ messageId = null, gatewayId = null, ...receipt }) => ({
      messageId,
      gatewayId,
      phones: [],
      ...eventOf(receipt),
    })),
    replies: replies.rows.map(({ phone, text }) => ({ phones: [phone], text })),
    problem: receipts.problem ?? replies.problem,
  };
}
