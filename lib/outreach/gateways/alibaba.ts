/**
 * Alibaba Cloud SMS: up to 100 messages per call, with a template. Follows
 * help.aliyun.com/zh/sms/developer-reference: SendBatchSms, SmsReport, SmsUp and QuerySendDetails
 * (2017-05-25). Its calls are not idempotent: after a timeout, only receipts show what was sent.
 */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { hourMs } from "#lib/basics/time/schema";
import { config } from "#lib/platform/config";
import { issueMessage } from "#lib/platform/errors";
import { type PostOutcome, postPublic } from "#lib/platform/safe-fetch";
import { canonicalQuery, signedHeaders } from "./acs-signature.ts";
import {
  type GatewayCall,
  type GatewayClient,
  type GatewayEvents,
  type GatewayOptions,
  listBytesMax,
  outcomeWithout,
  parseJson,
  readRows,
  reasonOf,
  responseBytesMax,
  sendTimeoutMs,
} from "./client.ts";
import type { SettingsOf } from "./kinds.ts";
import type { GatewayCheck, OutgoingMessage, SendOutcome, SentState } from "./schema.ts";

type AlibabaSettings = SettingsOf<"alibaba">;

const version = "2017-05-25";

interface SignedCall {
  action: string;
  query: Readonly<Record<string, string>>;
  body: string;
  contentType?: string;
  bytesMax: number;
}

async function postSigned(
  { accessKeyId }: AlibabaSettings,
  secret: string,
  origin: string,
  { bytesMax, ...call }: SignedCall,
): Promise<PostOutcome> {
  const request = {
    ...call,
    host: new URL(origin).host,
    version,
    date: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    nonce: randomUUID(),
  };
  const search = canonicalQuery(call.query);
  return await postPublic({
    url: `${origin}/${search === "" ? "" : `?${search}`}`,
    headers: signedHeaders(request, accessKeyId, secret),
    body: call.body,
    timeoutMs: sendTimeoutMs,
    bytesMax,
  });
}

/** Mainland numbers have no prefix; others have their country code but no plus. */
function numberOf(phone: string): string {
  return phone.startsWith("+86") ? phone.slice(3) : phone.replace(/^\+/, "");
}

const alibabaBatchMax = 100;

const answer = z.object({
  Code: z.string(),
  Message: z.string().default(""),
  BizId: z.string().optional(),
});

/** One such number makes Alibaba Cloud refuse the whole batch. */
const numberCodes = new Set([
  "isv.MOBILE_NUMBER_ILLEGAL",
  "isv.MOBILE_COUNT_OVER_LIMIT",
  "isv.BUSINESS_LIMIT_CONTROL",
  "isv.BLACK_KEY_CONTROL_LIMIT",
  "isv.PARAM_LENGTH_LIMIT",
  "isv.TEMPLATE_PARAMS_ILLEGAL",
]);
/** Certainly not accepted; may be accepted later. */
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
    // Alibaba Cloud repeats calls that are answered in another form.
    confirmation: { code: 0, msg: "OK" },
  };
}

/** If one bad number refuses a batch, nothing was sent, so each half is sent again. */
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

const accountProblem =
  /^(?:SignatureDoesNotMatch|InvalidAccessKeyId|Forbidden|NoPermission|InvalidTimeStamp)/;

/** Checks with a call without numbers, which sends nothing. */
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
  if (outcome.kind !== "answered") return outcomeWithout(outcome.kind, "Alibaba Cloud");
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
  // isp: the service itself failed, perhaps after it accepted the message.
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
const calls = z.array(z.unknown()).max(1_000);
type Row = z.output<typeof report> | z.output<typeof upward>;

/** Calls have no signature: the secret address of the gateway authenticates them. */
function read({ body }: GatewayCall): GatewayEvents {
  const parsed = calls.safeParse(parseJson(body));
  const events: GatewayEvents = { receipts: [], replies: [] };
  if (!parsed.success) return { ...events, problem: issueMessage(parsed.error.issues[0]) };
  const { rows, problem } = readRows<Row>([], parsed.data, (row) =>
    Object.hasOwn(Object(row), "content") ? upward : report,
  );
  for (const one of rows) {
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
  return { ...events, problem };
}

/** Mainland numbers come without a prefix. Their 11 digits start with 1, as in North America. */
function e164sOf(number: string): string[] {
  if (number.startsWith("+")) return [number];
  return /^1\d{10}$/.test(number) ? [`+86${number}`, `+${number}`] : [`+${number}`];
}

const details = z.object({
  Code: z.literal("OK"),
  TotalCount: z.coerce.number(),
  SmsSendDetailDTOs: z.object({
    SmsSendDetailDTO: z.array(
      z.object({
        Content: z.string().default(""),
        TemplateCode: z.string().default(""),
        SendStatus: z.coerce.number(),
        ErrCode: z.string().default(""),
      }),
    ),
  }),
});

const detailsMax = 50;
const chinaMs = 8 * hourMs;
const sendStatus = { waiting: 1, failed: 2, delivered: 3 };

/**
 * Asks QuerySendDetails for the messages to a phone on a day, and finds ours by the slug of its link.
 * Uncertain if none or two match, or if the day has more messages than a page.
 */
async function findByDetails(
  settings: AlibabaSettings,
  secret: string,
  origin: string,
  { message, attemptedAt }: { message: OutgoingMessage; attemptedAt: Date },
): Promise<SentState | undefined> {
  const { slug } = message;
  if (!Object.values(message.variables).some((value) => value.includes(slug))) return undefined;
  const day = new Date(attemptedAt.getTime() + chinaMs).toISOString().slice(0, 10);
  const query = {
    PhoneNumber: numberOf(message.phone),
    SendDate: day.replaceAll("-", ""),
    PageSize: String(detailsMax),
    CurrentPage: "1",
  };
  const call = { action: "QuerySendDetails", query, body: "", bytesMax: listBytesMax };
  const outcome = await postSigned(settings, secret, origin, call);
  const parsed = details.safeParse(
    outcome.kind === "answered" ? parseJson(outcome.body) : undefined,
  );
  if (!parsed.success || parsed.data.TotalCount > detailsMax) return undefined;
  const [found, second] = parsed.data.SmsSendDetailDTOs.SmsSendDetailDTO.filter(
    ({ Content: text, TemplateCode: code }) =>
      code === settings.templateCode && hasWord(text, slug),
  );
  return found && !second ? stateOf(found.SendStatus, found.ErrCode) : undefined;
}

function hasWord(text: string, word: string): boolean {
  return text.split(/[^A-Za-z0-9]+/).includes(word);
}

/** The answer has no BizId. */
function stateOf(status: number, code: string): SentState | undefined {
  if (status === sendStatus.delivered) return { gatewayId: null, state: "delivered", code: null };
  if (status === sendStatus.failed) return { gatewayId: null, state: "failed", code };
  if (status === sendStatus.waiting) return { gatewayId: null, state: "accepted", code: null };
  return undefined;
}
