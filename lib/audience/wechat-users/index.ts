/**
 * Identifies visitors at WeChat, for official accounts: "网页授权"
 * (developers.weixin.qq.com/doc/service/guide/h5/auth).
 *
 *     authorizeUrl (wechat-pages) ──▶ WeChat ──▶ callback with a code ──▶ exchangeCode ──▶ fetchProfile
 *
 * A code is valid once, for five minutes. Tokens here belong to one visitor and are not the access
 * token of the account.
 */
import { z } from "zod";
import { parseUrl } from "#lib/basics/urls/schema";
import { callWechat, type WechatApp, type WechatResult } from "#lib/platform/wechat";

export const codeMinutes = 5;

/** Long, because nobody waits, and a call that is cut off may have used the code. */
const timeoutMs = 20_000;

const text = z.string().min(1).max(1_000);
const optionalText = z.string().max(1_000).catch("");

export interface UserToken {
  openid: string;
  accessToken: string;
  refreshToken: string;
}

export interface ExchangedCode extends UserToken {
  /** Only with `snsapi_userinfo`, for accounts of an open platform account. */
  unionid: string;
  /** In the snapshot mode of WeChat, every visit is a new person. */
  isVirtual: boolean;
}

const exchanged = z.object({
  openid: text,
  access_token: text,
  refresh_token: optionalText,
  unionid: optionalText,
  is_snapshotuser: z.number().catch(0),
});

/** WeChat, or something in between, failed. */
const unreadable = { ok: false, problem: "unreachable", errcode: null, address: null } as const;

/** "通过code换取网页授权access_token" */
export async function exchangeCode(
  { appId, secret }: WechatApp,
  code: string,
): Promise<WechatResult<ExchangedCode>> {
  const query = { appid: appId, secret, code, grant_type: "authorization_code" };
  const answer = await callWechat({ path: "/sns/oauth2/access_token", query, timeoutMs });
  if (!answer.ok) return answer;
  const { data } = exchanged.safeParse(answer.value.json);
  if (!data) return unreadable;
  const { openid, access_token: accessToken, refresh_token: refreshToken, unionid } = data;
  // defence: wechat-virtual-person
  const isVirtual = data.is_snapshotuser === 1;
  return { ok: true, value: { openid, accessToken, refreshToken, unionid, isVirtual } };
}

const refreshed = z.object({ openid: text, access_token: text, refresh_token: optionalText });

/** "刷新access_token": an access token is valid for two hours, a refresh token for 30 days. */
export async function refreshUserToken(
  { appId }: WechatApp,
  token: UserToken,
): Promise<WechatResult<UserToken>> {
  const query = { appid: appId, grant_type: "refresh_token", refresh_token: token.refreshToken };
  const answer = await callWechat({ path: "/sns/oauth2/refresh_token", query, timeoutMs });
  if (!answer.ok) return answer;
  const { data } = refreshed.safeParse(answer.value.json);
  if (data?.openid !== token.openid) return unreadable;
  const { openid, access_token: accessToken, refresh_token: refreshToken } = data;
  return {
    ok: true,
    value: { openid, accessToken, refreshToken: refreshToken || token.refreshToken },
  };
}

/** Unknown values are empty. */
export interface WechatProfile {
  unionid: string;
  nickname: string;
  picture: string;
}

const profile = z.object({
  openid: text,
  nickname: optionalText,
  headimgurl: optionalText,
  unionid: optionalText,
});

/** "拉取用户信息": for `snsapi_userinfo`. */
export async function fetchProfile({
  openid,
  accessToken,
}: UserToken): Promise<WechatResult<WechatProfile>> {
  const query = { access_token: accessToken, openid, lang: "zh_CN" };
  const answer = await callWechat({ path: "/sns/userinfo", query, timeoutMs });
  if (!answer.ok) return answer;
  const { data } = profile.safeParse(answer.value.json);
  if (data?.openid !== openid) return unreadable;
  const { unionid, nickname, headimgurl } = data;
  return {
    ok: true,
    value: { unionid, nickname: plainName(nickname), picture: pictureUrl(headimgurl) },
  };
}

const nameCharsMax = 100;

/** Removes characters that change how the text around them is shown. */
function plainName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "").trim();
  return [...plain].slice(0, nameCharsMax).join("");
}

/** Pictures are on hosts of qlogo.cn. Some URLs still have http. */
function pictureUrl(url: string): string {
  const parsed = parseUrl(url);
  if (!parsed) return "";
  if (!/^(?:[\w-]+\.)*qlogo\.cn$/.test(parsed.hostname) || parsed.port !== "") return "";
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") return "";
  return `https://${parsed.hostname}${parsed.pathname}${parsed.search}`;
}

/** The code is invalid, was used, or is missing. Trying again would not help. */
export function isCodeRefused(errcode: number | null): boolean {
  return errcode === 40_029 || errcode === 40_163 || errcode === 41_008;
}

/** The token has expired, or the visitor revoked the permission. */
export function isUserTokenRefused(errcode: number | null): boolean {
  return errcode === 40_001 || errcode === 40_014 || errcode === 42_001 || errcode === 42_002;
}
