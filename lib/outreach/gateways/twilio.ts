/**
 * Twilio, one message per call. Follows www.twilio.com/docs: “Messages resource” (2010-04-01), “Error and warning
 * dictionary”, “Track the message status of outbound messages”, and “Webhooks security” (X-Twilio-Signature).
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { postPublic } from "#lib/platform/safe-fetch";
import {
  type GatewayCall,
  type GatewayClient,
  type GatewayEvents,
  parseJson,
  reasonOf,
  responseBytesMax,
  sendTimeoutMs,
} from "./client.ts";
import type { OutgoingMessage, Receipt, SendOutcome, TwilioSettings } from "./schema.ts";

interface TwilioOptions {
  origin: string;
  /** Receives receipts and replies. */
  callback: string;
}

const created = z.object({ sid: z.string(), error_code: z.number().nullish() });
const problem = z.object({ code: z.number(), message: z.string().default("") });

/** “Attempt to send to unsubscribed recipient”. */
const unsubscribedCode = 21_610;
/** Authentication, suspended account, missing rights, sender that may not be used. */
const accountCodes = new Set([
  20_003, 20_005, 20_404, 21_212, 21_603, 21_606, 21_659, 21_660, 30_002,
]);

export function twilioGateway(
  settings: TwilioSettings,
  secret: string,
  options: TwilioOptions,
): GatewayClient {
  return {
    batchMax: 1,
    send: async (messages) =>
      await Promise.all(messages.map((one) => send(settings, secret, options, one))),
    read: (call) => readEvents(secret, call),
  };
}

async function send(
  { accountSid, sender }: TwilioSettings,
  secret: string,
  { origin, callback }: TwilioOptions,
  { phone, text }: OutgoingMessage,
): Promise<SendOutcome> {
  const form = new URLSearchParams({
    To: phone,
    [sender.startsWith("MG") ? "MessagingServiceSid" : "From"]: sender,
    Body: text,
    StatusCallback: callback,
  });
  const outcome = await postPublic({
    url: `${origin}/2010-04-01/Accounts/${accountSid}/Messages.json`,
    headers: {
      authorization: `Basic ${Buffer.from(`${accountSid}:${secret}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: form.toString(),
    timeoutMs: sendTimeoutMs,
    bytesMax: responseBytesMax,
  });
  if (outcome.kind === "unsent") {
    return { state: "later", reason: "Twilio can’t be reached", waitS: null };
  }
  if (outcome.kind === "unseen") return { state: "unknown", reason: "Twilio’s response was lost" };
  const { status, body, retryAfterS } = outcome;
  if (status >= 200 && status < 300) {
    const parsed = created.safeParse(parseJson(body));
    // It was accepted; a receipt without this id cannot be matched.
    return { state: "accepted", gatewayId: parsed.success ? parsed.data.sid : null };
  }
  return refusalOf(status, body, retryAfterS);
}

function refusalOf(status: number, body: string, retryAfterS: number | null): SendOutcome {
  const parsed = problem.safeParse(parseJson(body));
  const { code, message } = parsed.success ? parsed.data : { code: 0, message: body };
  const reason = reasonOf(
    code === 0 ? message : `${code} ${message}`,
    code === 0 ? status : undefined,
  );
  // “An API request that receives an error 429 response is never processed.”
  if (status === 429) return { state: "later", reason, waitS: retryAfterS };
  if (status >= 500) return { state: "unknown", reason };
  if (status === 401 || status === 403 || accountCodes.has(code)) {
    return { state: "stopped", reason };
  }
  return { state: "refused", reason, optedOut: code === unsubscribedCode };
}

/** Verifies the signature, then reads a status of a message or an incoming message. */
function readEvents(secret: string, call: GatewayCall): GatewayEvents | undefined {
  const form = new URLSearchParams(call.body);
  const given = Buffer.from(call.headers["x-twilio-signature"] ?? "", "base64");
  const expected = Buffer.from(twilioSignature(secret, call.url, form), "base64");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const status = form.get("MessageStatus");
  const sid = form.get("MessageSid");
  if (status && sid) {
    const receipt = receiptOf(sid, status, form.get("ErrorCode"));
    return { receipts: receipt ? [receipt] : [], replies: [] };
  }
  const [phone, text] = [form.get("From"), form.get("Body")];
  return { receipts: [], replies: phone && text !== null ? [{ phones: [phone], text }] : [] };
}

function receiptOf(sid: string, status: string, code: string | null): Receipt | undefined {
  const receipt = { gatewayId: sid, messageId: null, phones: [] };
  if (status === "delivered") return { ...receipt, state: "delivered", reason: null };
  if (status !== "failed" && status !== "undelivered") return undefined; // on its way
  const isOptedOut = code === String(unsubscribedCode);
  return { ...receipt, state: isOptedOut ? "optedOut" : "failed", reason: code };
}

/** The URL and the sorted parameters, as HMAC-SHA1 in base64. */
export function twilioSignature(secret: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort();
  const fields = names.map((name) => name + [...new Set(form.getAll(name))].sort().join(""));
  return createHmac("sha1", secret)
    .update(url + fields.join(""))
    .digest("base64");
}
