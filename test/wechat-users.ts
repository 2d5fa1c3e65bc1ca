/**
 * The part of the local WeChat that tells who a visitor is, after "网页授权", doc/service/guide/h5/auth: the page that asks
 * the visitor, and the calls of doc/service/api/webdev/access.
 */
import { randomBytes } from "node:crypto";

export interface WechatPerson {
  openid: string;
  unionid?: string;
  nickname: string;
  headimgurl: string;
  /** In the snapshot mode. */
  isVirtual?: boolean;
}

interface IssuedCode {
  appId: string;
  person: WechatPerson;
  scope: string;
  at: number;
  /** How often it was exchanged. */
  exchanged: number;
}

interface UserToken {
  person: WechatPerson;
  scope: string;
  isEnded: boolean;
}

export interface WechatUsers {
  /** Who uses WeChat now. */
  person: WechatPerson;
  codes: Map<string, IssuedCode>;
  tokens: Map<string, UserToken>;
  /** By refresh token, that of the token it replaces. */
  refreshes: Map<string, string>;
}

export function newUsers(): WechatUsers {
  return {
    person: { openid: newOpenid(), nickname: "小明", headimgurl: "" },
    codes: new Map(),
    tokens: new Map(),
    refreshes: new Map(),
  };
}

export function newOpenid(): string {
  return `o${randomBytes(20).toString("base64url").slice(0, 27)}`;
}

/** WeChat compares the link with this pattern: the order counts. */
const authorizePattern =
  /^\/connect\/oauth2\/authorize\?appid=(wx[0-9a-f]{16})&redirect_uri=([^&]+)&response_type=code&scope=(snsapi_base|snsapi_userinfo)&state=([a-zA-Z0-9]{0,128})$/;

export type AuthorizeAnswer = { redirect: string } | { html: string };

/** The page of WeChat: it goes back by itself, or asks. Undefined: the link is refused. */
export function authorize(
  users: WechatUsers,
  url: string,
  hasApp: (appId: string) => boolean,
): AuthorizeAnswer | undefined {
  const [, appId = "", uri = "", scope = "", state = ""] = authorizePattern.exec(url) ?? [];
  if (!hasApp(appId)) return undefined;
  const back = new URL(decodeURIComponent(uri));
  const code = issueCode(users, appId, scope);
  back.searchParams.append("code", code);
  back.searchParams.append("state", state);
  if (scope === "snsapi_base") return { redirect: back.href };
  const href = back.href.replaceAll("&", "&amp;");
  return {
    html: `<!doctype html><html lang="zh"><title>微信</title><main><h1>申请获取你的昵称、头像</h1><a href="${href}">允许</a></main></html>`,
  };
}

function issueCode(users: WechatUsers, appId: string, scope: string): string {
  const code = randomBytes(16).toString("hex");
  const { person } = users;
  users.codes.set(code, { appId, person, scope, at: Date.now(), exchanged: 0 });
  return code;
}

const codeMs = 300_000;

type Ask = (name: string) => string;
type SecretOf = (appId: string) => string | undefined;

/** An error code, or the answer. */
export function replyToUser(
  users: WechatUsers,
  path: string,
  query: URLSearchParams,
  secretOf: SecretOf,
): object | number {
  const asked: Ask = (name) => query.get(name) ?? "";
  if (path === "/sns/oauth2/access_token") return exchange(users, asked, secretOf);
  if (path === "/sns/userinfo") return userInfo(users, asked);
  if (path !== "/sns/oauth2/refresh_token") return 40_066;
  const token = users.tokens.get(users.refreshes.get(asked("refresh_token")) ?? "");
  return token ? issueToken(users, token.person, token.scope) : 40_030;
}

function exchange(users: WechatUsers, asked: Ask, secretOf: SecretOf): object | number {
  const secret = secretOf(asked("appid"));
  if (secret === undefined) return 40_013;
  if (secret !== asked("secret")) return 40_125;
  if (asked("code") === "") return 41_008;
  const issued = users.codes.get(asked("code"));
  if (issued?.appId !== asked("appid") || issued.at < Date.now() - codeMs) return 40_029;
  if (issued.exchanged > 0) return 40_163;
  issued.exchanged += 1;
  return issueToken(users, issued.person, issued.scope);
}

function userInfo(users: WechatUsers, asked: Ask): object | number {
  const token = users.tokens.get(asked("access_token"));
  if (!token) return 40_001;
  if (token.isEnded) return 42_001;
  if (token.person.openid !== asked("openid")) return 40_003;
  if (token.scope !== "snsapi_userinfo") return 48_001;
  const { openid, unionid, nickname, headimgurl } = token.person;
  return { openid, nickname, sex: 0, headimgurl, privilege: [], ...(unionid ? { unionid } : {}) };
}

function issueToken(users: WechatUsers, person: WechatPerson, scope: string): object {
  const [token, refresh] = [randomBytes(16).toString("hex"), randomBytes(16).toString("hex")];
  users.tokens.set(token, { person, scope, isEnded: false });
  users.refreshes.set(refresh, token);
  const { openid, unionid, isVirtual } = person;
  return {
    access_token: token,
    expires_in: 7_200,
    refresh_token: refresh,
    openid,
    scope,
    ...(isVirtual ? { is_snapshotuser: 1 } : {}),
    ...(unionid && scope === "snsapi_userinfo" ? { unionid } : {}),
  };
}
