/**
 * Twilio, one message per call. Follows www.twilio.com/docs: “Messages resource” (2010-04-01), “Error and warning
 * dictionary”, “Track the message status of outbound messages”, and “Webhooks security” (X-Twilio-Signature).
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { dayMs } from "#lib/basics/time/schema";
import { config } from "#lib/platform/config";
import { getPublic, type PostOutcome, postPublic } from "#lib/platform/safe-fetch";
import {
  type GatewayCall,
  type GatewayClient,
  type GatewayEvents,
  type GatewayOptions,
  listBytesMax,
  outcomeWithout,
  parseJson,
  reasonOf,
  responseBytesMax,
  sendTimeoutMs,
} from "./client.ts";
import type { SettingsOf } from "./kinds.ts";
import type { GatewayCheck, OutgoingMessage, Receipt, SendOutcome, SentState } from "./schema.ts";

type TwilioSettings = SettingsOf<"twilio">;

interface TwilioOptions {
  origin: string;
  callback: string;
}

const created = z.object({ sid: z.string(), error_code: z.number().nullish() });
const problem = z.object({ code: z.number(), message: z.string().default("") });

/** “Attempt to send to unsubscribed recipient”. */
const unsubscribedCode = 21_610;
/** Authentication failed, account suspended, rights missing, or sender not allowed. */
const accountCodes = new Set([
  20_003, 20_005, 20_404, 21_212, 21_603, 21_606, 21_659, 21_660, 30_002,
]);

export function twilioGateway({
  settings,
  secret,
  callback,
}: GatewayOptions<TwilioSettings>): GatewayClient {
  const options = { origin: config().FUXI_TWILIO_URL, callback };
  return {
    batchMax: 1,
    send: async (messages) =>
      await Promise.all(messages.map((one) => send(settings, secret, options, one))),
    find: (message, attemptedAt) => find(settings, secret, options, { message, attemptedAt }),
    check: () => check(settings, secret, options),
    read: (call) => readEvents(secret, call),
    // Twilio would treat a body as instructions.
    confirmation: null,
  };
}

/** Names the message in the callback, for receipts of messages whose response was lost. */
const messageParameter = "message";

const noRecipientCode = 21_604;

async function check(
  settings: TwilioSettings,
  secret: string,
  { origin }: TwilioOptions,
): Promise<GatewayCheck> {
  const outcome = await post(settings, secret, origin, new URLSearchParams({ Body: "" }));
  if (outcome.kind !== "answered") {
    return { ok: false, code: "unreachable", message: "Twilio can’t be reached." };
  }
  const parsed = problem.safeParse(parseJson(outcome.body));
  const isAccepted = parsed.success && parsed.data.code === noRecipientCode;
  return isAccepted
    ? { ok: true, code: "accepted", message: "Twilio accepts the account." }
    : { ok: false, code: "refused", message: reasonOf(outcome.body, outcome.status) };
}

function messagesUrl(origin: string, accountSid: string): string {
  return `${origin}/2010-04-01/Accounts/${accountSid}/Messages.json`;
}

function basicOf(accountSid: string, secret: string): string {
  return `Basic ${Buffer.from(`${accountSid}:${secret}`).toString("base64")}`;
}

async function post(
  { accountSid }: TwilioSettings,
  secret: string,
  origin: string,
  form: URLSearchParams,
): Promise<PostOutcome> {
  return await postPublic({
    url: messagesUrl(origin, accountSid),
    headers: {
      authorization: basicOf(accountSid, secret),
      "content-type": "application/x-www-form-urlencoded",
    },
    body: form.toString(),
    timeoutMs: sendTimeoutMs,
    bytesMax: responseBytesMax,
  });
}

async function send(
  settings: TwilioSettings,
  secret: string,
  { origin, callback }: TwilioOptions,
  { phone, text, messageId }: OutgoingMessage,
): Promise<SendOutcome> {
  const { sender } = settings;
  const form = new URLSearchParams({
    To: phone,
    [sender.startsWith("MG") ? "MessagingServiceSid" : "From"]: sender,
    Body: text,
    StatusCallback: `${callback}?${messageParameter}=${messageId}`,
  });
  const outcome = await post(settings, secret, origin, form);
  if (outcome.kind !== "answered") return outcomeWithout(outcome.kind, "Twilio");
  const { status, body, retryAfterS } = outcome;
  if (status >= 200 && status < 300) {
    const parsed = created.safeParse(parseJson(body));
    // Accepted, but no receipt can be matched without the id.
    return { state: "accepted", gatewayId: parsed.success ? parsed.data.sid : null };
  }
  return refusalOf(status, body, retryAfterS);
}

function refusalOf(status: number, body: string, retryAfterS: number | null): SendOutcome {
  const parsed = problem.safeParse(parseJson(body));
  const { code: number, message } = parsed.success ? parsed.data : { code: 0, message: body };
  const reason = reasonOf(
    number === 0 ? message : `${number} ${message}`,
    number === 0 ? status : undefined,
  );
  const code = String(number === 0 ? status : number);
  // “An API request that receives an error 429 response is never processed.”
  if (status === 429) return { state: "later", code, reason, waitS: retryAfterS };
  if (status >= 500) return { state: "unknown", code, reason };
  if (status === 401 || status === 403 || accountCodes.has(number)) {
    return { state: "stopped", code, reason };
  }
  return { state: "refused", code, reason, optedOut: number === unsubscribedCode };
}

const listed = z.object({
  messages: z.array(
    z.object({
      sid: z.string(),
      to: z.string(),
      body: z.string(),
      direction: z.string(),
      status: z.string(),
      error_code: z.number().nullable(),
    }),
  ),
});

const listedMax = 100;

/**
 * Finds a message whose SID is unknown, by recipient, day and text, which has its own link. Uncertain
 * if none or two match.
 */
async function find(
  { accountSid }: TwilioSettings,
  secret: string,
  { origin }: TwilioOptions,
  { message, attemptedAt }: { message: OutgoingMessage; attemptedAt: Date },
): Promise<SentState | undefined> {
  // DateSent is a whole day in UTC, and empty until the message is sent.
  const since = new Date(attemptedAt.getTime() - dayMs).toISOString().slice(0, 10);
  const query = new URLSearchParams({
    To: message.phone,
    "DateSent>": since,
    PageSize: String(listedMax),
  });
  const outcome = await getPublic({
    url: `${messagesUrl(origin, accountSid)}?${query}`,
    headers: { authorization: basicOf(accountSid, secret) },
    timeoutMs: sendTimeoutMs,
    bytesMax: listBytesMax,
  });
  if (outcome.kind !== "answered" || outcome.status !== 200) return undefined;
  const parsed = listed.safeParse(parseJson(outcome.body));
  if (!parsed.success) return undefined;
  const [found, second] = parsed.data.messages.filter(
    ({ to, body, direction }) =>
      // defence: gateway-answer-certain
      to === message.phone && body === message.text && direction.startsWith("outbound"),
  );
  return found && !second ? stateOf(found) : undefined;
}

function stateOf(found: z.output<typeof listed>["messages"][number]): SentState {
  const { sid, status, error_code: number } = found;
  const code = number === null ? null : String(number);
  if (status === "delivered" || status === "read") {
    return { gatewayId: sid, state: "delivered", code: null };
  }
  if (status !== "failed" && status !== "undelivered" && status !== "canceled") {
    return { gatewayId: sid, state: "accepted", code: null };
  }
  return { gatewayId: sid, state: number === unsubscribedCode ? "optedOut" : "failed", code };
}

function readEvents(secret: string, call: GatewayCall): GatewayEvents | undefined {
  const form = new URLSearchParams(call.body);
  const given = Buffer.from(call.headers["x-twilio-signature"] ?? "", "base64");
  const expected = Buffer.from(twilioSignature(secret, call.url, form), "base64");
  // defence: twilio-signature
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const status = form.get("MessageStatus");
  const sid = form.get("MessageSid");
  if (status && sid) {
    const messageId = new URL(call.url).searchParams.get(messageParameter);
    const receipt = receiptOf({ sid, messageId }, status, form.get("ErrorCode"));
    return { receipts: receipt ? [receipt] : [], replies: [] };
  }
  const [phone, text] = [form.get("From"), form.get("Body")];
  return { receipts: [], replies: phone && text !== null ? [{ phones: [phone], text }] : [] };
}

function receiptOf(
  { sid, messageId }: { sid: string; messageId: string | null },
  status: string,
  code: string | null,
): Receipt | undefined {
  const receipt = { gatewayId: sid, messageId, phones: [] };
  if (status === "delivered") return { ...receipt, state: "delivered", reason: null };
  if (status !== "failed" && status !== "undelivered") return undefined;
  const isOptedOut = code === String(unsubscribedCode);
  return { ...receipt, state: isOptedOut ? "optedOut" : "failed", reason: code };
}

/** HMAC-SHA1 of the URL and the sorted parameters, in base64. */
export function twilioSignature(secret: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort();
  const fields = names.map((name) => name + [...new Set(form.getAll(name))].sort().join(""));
  return createHmac("sha1", secret)
    .update(url + fields.join(""))
    .digest("base64");
}
