/** One request to the API of WeChat. Errors come with status 200 and a JSON object that has an errcode. */
import { config } from "#lib/platform/config";
import { getPublic, type PostOutcome, postPublic } from "#lib/platform/safe-fetch";
import { failureOf, noAnswer, type WechatResult } from "./failures.ts";

/** Nobody waits for a call but jobs, and people who ask for it. */
const usualMs = 8_000;
/** A picture of 1,280 pixels has some 200 KB. */
const bytesMax = 2_000_000;

export interface WechatCall {
  path: string;
  query?: Readonly<Record<string, string>>;
  /** Undefined: a GET request. */
  body?: object;
  timeoutMs?: number;
}

export interface WechatAnswer {
  /** Empty: the answer is no JSON object, such as a picture. */
  json: Readonly<Record<string, unknown>>;
  bytes: Buffer;
}

export async function send({
  path,
  query = {},
  body,
  timeoutMs = usualMs,
}: WechatCall): Promise<WechatResult<WechatAnswer>> {
  const url = `${config().FUXI_WECHAT_URL}${path}?${new URLSearchParams(query)}`;
  const call = { url, timeoutMs, bytesMax, headers: { "content-type": "application/json" } };
  const outcome =
    body === undefined
      ? await getPublic(call)
      : await postPublic({ ...call, body: JSON.stringify(body) });
  return read(outcome);
}

function read(outcome: PostOutcome): WechatResult<WechatAnswer> {
  if (outcome.kind !== "answered" || outcome.status !== 200) return noAnswer;
  const json = objectOf(outcome.body);
  const errcode = Number(json["errcode"] ?? 0);
  if (errcode !== 0) return failureOf(errcode, String(json["errmsg"] ?? ""));
  return { ok: true, value: { json, bytes: outcome.bytes } };
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  if (!text.startsWith("{")) return {};
  try {
    return JSON.parse(text);
  } catch {
    return {}; // cut off
  }
}

/** A text field of an answer. Empty: WeChat did not send one. */
export function textOf({ json }: WechatAnswer, field: string): string {
  const value = json[field];
  return typeof value === "string" ? value : "";
}

export function numberOf({ json }: WechatAnswer, field: string): number {
  const value = json[field];
  return typeof value === "number" ? value : 0;
}
