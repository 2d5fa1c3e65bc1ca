/**
 * Alibaba Cloud SMS, up to 100 messages per call, with a template. Follows help.aliyun.com/zh/sms/developer-reference:
 * SendBatchSms and SmsReport, SmsUp, QuerySendDetails (2017-05-25). Its calls are not idempotent: after a timeout, only receipts tell what
 * was sent.
 */
import { z } from "zod";
import { config } from "#lib/platform/config";
import type { PostOutcome } from "#lib/platform/safe-fetch";
import { canonicalQuery } from "./acs-signature.ts";
import { type AlibabaSettings, numberOf, postSigned } from "./alibaba-call.ts";
import { findByDetails } from "./alibaba-details.ts";
import {
  type GatewayCall,
  type GatewayClient,
  type GatewayEvents,
  type GatewayOptions,
  lostCode,
  parseJson,
  reasonOf,
  responseBytesMax,
  unreachableCode,
} from "./client.ts";
import type { GatewayCheck, OutgoingMessage, SendOutcome } from "./schema.ts";

const alibabaBatchMax = 100;

const answer = z.object({
  Code: z.string(),
  Message: z.string().default(""),
  BizId: z.string().optional(),
});

/** Refuse one number of a batch, and with it the whole batch. */
const numberCodes = new Set([
  "isv.MOBILE_NUMBER_ILLEGAL",
  "isv.MOBILE_COUNT_OVER_LIMIT",
  "isv.BUSINESS_LIMIT_CONTROL",
  "isv.BLACK_KEY_CONTROL_LIMIT",
  "isv.PARAM_LENGTH_LIMIT",
  "isv.TEMPLATE_PARAMS_ILLEGAL",
]);
/** Certainly not accepted, for a while. */
const laterCodes = new Set([
  "isv.DAY_LIMIT_CONTROL",
  "isv.MONTH_LIMIT_CONTROL",
  "Throttling",
  "Throttling.User",
]);

export function alibabaGateway({
  settings,
  secret,
}: GatewayOptions<AlibabaSettings>): GatewayClient {
  const { FUXI_ALIBABA_SMS_URL: origin } = config();
  const call = (messages: readonly OutgoingMessage[]) =>
    sendBatch(settings, secret, origin, messages);
  return {
    batchMax: alibabaBatchMax,
    send: (messages) => sendSplit(call, messages),
    find: (message, attemptedAt) =>
      findByDetails(settings, secret, origin, { message, attemptedAt }),
    check: () => check(settings, secret, origin),
    read,
    // In another form, the same calls are repeated.
    confirmation: { code: 0, msg: "OK" },
  };
}

/** One bad number refuses a batch, of which nothing was sent: its halves are sent on their own. */
async function sendSplit(
  call: (messages: readonly OutgoingMessage[]) => Promise<SendOutcome>,
  messages: readonly OutgoingMessage[],
): Promise<SendOutcome[]> {
  const outcome = await call(messages);
  const isOfOne = outcome.state === "refused" && numberCodes.has(outcome.code);
  if (messages.length < 2 || !isOfOne) return messages.map(() => outcome);
  const half = Math.ceil(messages.length / 2);
  const first = await sendSplit(call, messages.slice(0, half));
  return [...first, ...(await sendSplit(call, messages.slice(half)))];
}

/** Responses to a call without numbers that tell about the account. */
const accountProblem =
  /^(?:SignatureDoesNotMatch|InvalidAccessKeyId|Forbidden|NoPermission|InvalidTimeStamp)/;

/** A call without numbers sends nothing. */
async function check(
  settings: AlibabaSettings,
  secret: string,
  origin: string,
): Promise<GatewayCheck> {
  const outcome = await post(settings, secret, origin, []);
  if (outcome.kind !== "answered") {
    return { ok: false, code: "unreachable", message: "Alibaba Cloud can’t be reached." };
  }
  const parsed = answer.safeParse(parseJson(outcome.body));
  const isAccepted = parsed.success && !accountProblem.test(parsed.data.Code);
  return isAccepted
    ? { ok: true, code: "accepted", message: "Alibaba Cloud accepts the AccessKey." }
    : { ok: false, code: "refused", message: reasonOf(outcome.body, outcome.status) };
}

async function post(
  settings: AlibabaSettings,
  secret: string,
  origin: string,
  messages: readonly OutgoingMessage[],
): Promise<PostOutcome> {
  const { signName, templateCode } = settings;
  const body = canonicalQuery({
    PhoneNumberJson: JSON.stringify(messages.map(({ phone }) => numberOf(phone))),
    SignNameJson: JSON.stringify(messages.map(() => signName)),
    TemplateCode: templateCode,
    TemplateParamJson: JSON.stringify(messages.map(({ variables }) => variables)),
  });
  const call = {
    action: "SendBatchSms",
    query: {},
    body,
    contentType: "application/x-www-form-urlencoded",
    bytesMax: responseBytesMax,
  };
  return await postSigned(settings, secret, origin, call);
}

async function sendBatch(
  settings: AlibabaSettings,
  secret: string,
  origin: string,
  messages: readonly OutgoingMessage[],
): Promise<SendOutcome> {
  const outcome = await post(settings, secret, origin, messages);
  if (outcome.kind === "unsent") {
    const reason = "Alibaba Cloud can’t be reached";
    return { state: "later", code: unreachableCode, reason, waitS: null };
  }
  if (outcome.kind === "unseen") {
    return { state: "unknown", code: lostCode, reason: "Alibaba Cloud’s response was lost" };
  }
  return outcomeOf(outcome.status, outcome.body, outcome.retryAfterS);
}

function outcomeOf(status: number, body: string, waitS: number | null): SendOutcome {
  const parsed = answer.safeParse(parseJson(body));
  if (!parsed.success) {
    const reason = reasonOf(body, status);
    if (status === 429) return { state: "later", code: String(status), reason, waitS };
    return { state: "unknown", code: String(status), reason };
  }
  const { Code: code, Message: message, BizId: bizId } = parsed.data;
  if (code === "OK") return { state: "accepted", gatewayId: bizId ?? null };
  const reason = reasonOf(`${code} ${message}`);
  if (laterCodes.has(code)) return { state: "later", code, reason, waitS };
  if (numberCodes.has(code)) return { state: "refused", code, reason, optedOut: false };
  // isp: the service itself failed, perhaps after it had accepted.
  if (code.startsWith("isp.") || status >= 500) return { state: "unknown", code, reason };
  return { state: "stopped", code, reason };
}

const report = z.object({
  phone_number: z.string().max(40),
  success: z.boolean(),
  err_code: z.string().max(100).optional(),
  biz_id: z.string().max(100),
});
const upward = z.object({ phone_number: z.string().max(40), content: z.string().max(1_000) });
const calls = z.array(z.union([report, upward])).max(1_000);

/** These calls have no signature: the address of the gateway is their secret. */
function read({ body }: GatewayCall): GatewayEvents | undefined {
  const parsed = calls.safeParse(parseJson(body));
  if (!parsed.success) return undefined;
  const events: GatewayEvents = { receipts: [], replies: [] };
  for (const one of parsed.data) {
    const phones = e164sOf(one.phone_number);
    if ("content" in one) events.replies.push({ phones, text: one.content });
    else {
      events.receipts.push({
        gatewayId: one.biz_id,
        messageId: null,
        phones,
        state: one.success ? "delivered" : "failed",
        reason: one.success ? null : (one.err_code ?? null),
      });
    }
  }
  return events;
}

/** Numbers of the mainland come without a prefix: 11 digits that start with 1, as numbers of North America do. */
function e164sOf(number: string): string[] {
  if (number.startsWith("+")) return [number];
  return /^1\d{10}$/.test(number) ? [`+86${number}`, `+${number}`] : [`+${number}`];
}
