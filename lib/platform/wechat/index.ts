/**
 * The API of WeChat for mini programs and official accounts: developers.weixin.qq.com, the pages that failures.ts names.
 * Whoever calls it is a job, or a person who asked for it: no visit waits for WeChat.
 */
import { numberOf, send, textOf, type WechatAnswer, type WechatCall } from "./calls.ts";
import { isStaleToken, noAnswer, type WechatResult } from "./failures.ts";
import {
  type Expiring,
  fetchShared,
  findShared,
  peekShared,
  type WechatApp,
} from "./shared-values.ts";

export { send as callWechat } from "./calls.ts";
export { retryAt, type WechatFailure, type WechatResult } from "./failures.ts";
export { digestOf, forgetShared, type WechatApp } from "./shared-values.ts";

/** Of the AppSecrets in the database. */
export const secretPurpose = "wechat-accounts";

export const urlLinkDays = 30;

/** The access token. `refused`: one that WeChat does not accept any more. */
export async function findToken(app: WechatApp, refused?: string): Promise<WechatResult<string>> {
  return await findShared({ name: "token", app, refused, load: () => loadToken(app, refused) });
}

/**
 * "获取稳定版接口调用凭据": the same token for everybody until it expires. Only one that is refused although it is
 * current is replaced by force, which WeChat permits 20 times a day.
 */
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
  const answer = await send({ path: "/cgi-bin/stable_token", body });
  return answer.ok ? expiring(answer.value, "access_token") : answer;
}

function expiring(answer: WechatAnswer, field: string): WechatResult<Expiring> {
  const value = textOf(answer, field);
  const expiresAt = Date.now() + numberOf(answer, "expires_in") * 1_000;
  return value === "" ? noAnswer : { ok: true, value: { value, expiresAt } };
}

/** A call with the access token; once more with another one when WeChat refuses it. */
async function callAs(app: WechatApp, call: WechatCall): Promise<WechatResult<WechatAnswer>> {
  const token = await findToken(app);
  if (!token.ok) return token;
  const withToken = (value: string) => ({
    ...call,
    query: { access_token: value, ...call.query },
  });
  const answer = await send(withToken(token.value));
  if (answer.ok || answer.errcode === null || !isStaleToken(answer.errcode)) return answer;
  const next = await findToken(app, token.value);
  return next.ok ? await send(withToken(next.value)) : next;
}

/** The ticket that the signatures of pages need, for a job: afterwards visits find it. */
export async function fetchTicket(app: WechatApp): Promise<WechatResult<string>> {
  const load = () => loadTicket(app);
  return await fetchShared({ name: "ticket", app, refused: undefined, load });
}

/** "获取jsapi_ticket": it is valid for as long as a token, and WeChat limits how often it is fetched. */
async function loadTicket(app: WechatApp): Promise<WechatResult<Expiring>> {
  const answer = await callAs(app, { path: "/cgi-bin/ticket/getticket", query: { type: "jsapi" } });
  return answer.ok ? expiring(answer.value, "ticket") : answer;
}

/** The ticket for a visit, by `digestOf` its account. Undefined: there is none, or it ends within a minute. */
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

/** "https://wxaurl.cn/*TICKET* 或 https://wxmpurl.cn/*TICKET*": visitors are sent nowhere else. */
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

/** By its first bytes: what is no picture is not passed on. */
function pictureType([first, second]: Uint8Array): ProgramCode["type"] | undefined {
  if (first === 0xff && second === 0xd8) return "image/jpeg";
  return first === 0x89 && second === 0x50 ? "image/png" : undefined;
}
