/** The API of mini programs and official accounts (developers.weixin.qq.com). Visits never wait for it. */

import { config } from "#lib/platform/config";
import { getPublic, type PostOutcome, postPublic } from "#lib/platform/safe-fetch";
import { failureOf, isStaleToken, noAnswer, type WechatResult } from "./failures.ts";
import {
  type Expiring,
  fetchShared,
  findShared,
  peekShared,
  type WechatApp,
} from "./shared-values.ts";

export { retryAt, type WechatFailure, type WechatResult } from "./failures.ts";
export { digestOf, forgetShared, type WechatApp } from "./shared-values.ts";

/** Seals AppSecrets in the database. */
export const secretPurpose = "wechat-accounts";

export const urlLinkDays = 30;

/** `refused`: a token that WeChat has refused, so it must not be returned again. */
export async function findToken(app: WechatApp, refused?: string): Promise<WechatResult<string>> {
  return await findShared({ name: "token", app, refused, load: () => loadToken(app, refused) });
}

/** "获取稳定版接口调用凭据": shared until it expires; WeChat lets us force 20 a day. */
async function loadToken(
  app: WechatApp,
  refused: string | undefined,
): Promise<WechatResult<Expiring>> {
  const usual = await requestToken(app, false);
  const isRefused = usual.ok && usual.value.value === refused;
  return isRefused ? await requestToken(app, true) : usual;
}

async function requestToken(
  { appId, secret }: WechatApp,
  force: boolean,
): Promise<WechatResult<Expiring>> {
  const body = { grant_type: "client_credential", appid: appId, secret, force_refresh: force };
  const answer = await callWechat({ path: "/cgi-bin/stable_token", body });
  return answer.ok ? expiring(answer.value, "access_token") : answer;
}

function expiring(answer: WechatAnswer, field: string): WechatResult<Expiring> {
  const value = textOf(answer, field);
  const expiresAt = Date.now() + numberOf(answer, "expires_in") * 1_000;
  return value === "" ? noAnswer : { ok: true, value: { value, expiresAt } };
}

async function callAs(app: WechatApp, call: WechatCall): Promise<WechatResult<WechatAnswer>> {
  const token = await findToken(app);
  if (!token.ok) return token;
  const withToken = (value: string) => ({
    ...call,
    query: { access_token: value, ...call.query },
  });
  const answer = await callWechat(withToken(token.value));
  if (answer.ok || answer.errcode === null || !isStaleToken(answer.errcode)) return answer;
  const next = await findToken(app, token.value);
  return next.ok ? await callWechat(withToken(next.value)) : next;
}

export async function fetchTicket(app: WechatApp): Promise<WechatResult<string>> {
  const load = () => loadTicket(app);
  return await fetchShared({ name: "ticket", app, refused: undefined, load });
}

/** "获取jsapi_ticket": valid as long as a token. WeChat limits how often it is fetched. */
async function loadTicket(app: WechatApp): Promise<WechatResult<Expiring>> {
  const answer = await callAs(app, { path: "/cgi-bin/ticket/getticket", query: { type: "jsapi" } });
  return answer.ok ? expiring(answer.value, "ticket") : answer;
}

export async function peekTicket(digest: string): Promise<string | undefined> {
  return await peekShared("ticket", digest);
}

/** "获取加密URLLink": opens a page of the mini program for 30 days, for any number of visitors. */
export async function makeUrlLink(app: WechatApp, path: string): Promise<WechatResult<string>> {
  const body = { path, expire_type: 1, expire_interval: urlLinkDays };
  const answer = await callAs(app, { path: "/wxa/generate_urllink", body });
  if (!answer.ok) return answer;
  const url = textOf(answer.value, "url_link");
  // defence: url-link-of-wechat
  return isUrlLink(url) ? { ok: true, value: url } : noAnswer;
}

/** "https://wxaurl.cn/*TICKET* 或 https://wxmpurl.cn/*TICKET*". Visitors are sent nowhere else. */
function isUrlLink(url: string): boolean {
  return /^https:\/\/(?:wxaurl|wxmpurl)\.cn\/\w{1,100}$/.test(url);
}

export interface ProgramCode {
  type: "image/jpeg" | "image/png";
  body: Uint8Array<ArrayBuffer>;
}

/** "获取不限制的小程序码": opens a page of the published version, with the scene. */
export async function drawProgramCode(
  app: WechatApp,
  { page, scene, width }: { page: string; scene: string; width: number },
): Promise<WechatResult<ProgramCode>> {
  const body = { page, scene, width, check_path: true };
  const answer = await callAs(app, { path: "/wxa/getwxacodeunlimit", body });
  if (!answer.ok) return answer;
  const picture = new Uint8Array(answer.value.bytes);
  const type = pictureType(picture);
  return type ? { ok: true, value: { type, body: picture } } : noAnswer;
}

/** By the first bytes. Anything else is not passed on. */
function pictureType([first, second]: Uint8Array): ProgramCode["type"] | undefined {
  if (first === 0xff && second === 0xd8) return "image/jpeg";
  return first === 0x89 && second === 0x50 ? "image/png" : undefined;
}

/** Only jobs, and people who ask, wait for a call. */
const usualMs = 8_000;
/** A picture of 1,280 pixels has about 200 KB. */
const bytesMax = 2_000_000;

interface WechatCall {
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
  timeoutMs?: number;
}

interface WechatAnswer {
  json: Readonly<Record<string, unknown>>;
  bytes: Buffer;
}

export async function callWechat({
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

function textOf({ json }: WechatAnswer, field: string): string {
  const value = json[field];
  return typeof value === "string" ? value : "";
}

function numberOf({ json }: WechatAnswer, field: string): number {
  const value = json[field];
  return typeof value === "number" ? value : 0;
}
