/**
 * A local WeChat that follows the pages of developers.weixin.qq.com:
 *
 * - "获取稳定版接口调用凭据", doc/service/api/base/api_getstableaccesstoken: the same token until its last 5 minutes.
 * - "获取加密URLLink", miniprogram/dev/server/API/qrcode-link/url-link/api_generateurllink, and "获取加密 URL Link",
 *   miniprogram/dev/framework/open-ability/url-link.
 * - "获取不限制的小程序码", miniprogram/dev/server/API/qrcode-link/qr-code/api_getunlimitedqrcode.
 * - "网页授权": wechat-users.ts.
 * - "获取jsapi_ticket", doc/offiaccount/OA_Web_Apps/JS-SDK, appendix 1.
 *
 * Errors have status 200, errcode and errmsg.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { authorize, newUsers, replyToUser, type WechatUsers } from "./wechat-users.ts";

interface AppState {
  secret: string;
  /** Counts the tokens that were issued. */
  issued: number;
  /** Counts the tickets. */
  tickets: number;
  token: string;
  expiresAt: number;
  /** The pages of the published version. */
  pages: Set<string>;
}

export interface WechatCalled {
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

export interface LocalWechat {
  origin: string;
  apps: Map<string, AppState>;
  calls: WechatCalled[];
  /** How long a token is valid. */
  tokenSeconds: number;
  /** For a call: an error, no answer at all, or a connection that ends without one, before or after the call was served. */
  fault: ((called: WechatCalled) => number | "hang" | "reset" | "cut" | undefined) | undefined;
  delayMs: number;
  /** How long a ticket is valid. */
  ticketSeconds: number;
  /** Instead of a new ticket. */
  ticket: unknown;
  /** Instead of a new URL Link. */
  urlLink: unknown;
  users: WechatUsers;
  addApp: (appId: string, secret: string, pages?: readonly string[]) => void;
  /** Another program has replaced the token by force. */
  revoke: (appId: string) => void;
  callsTo: (path: string) => WechatCalled[];
  close: () => Promise<void>;
}

const messages: Readonly<Record<number, string>> = {
  40164: "invalid ip 203.0.113.7 ipv6 ::ffff:203.0.113.7, not in whitelist rid: 655d9278-7c157f97",
};

export async function startWechat(wantedPort = 0): Promise<LocalWechat> {
  const server = createServer((req, res) => void answer(wechat, req, res));
  await new Promise<void>((resolve) => server.listen(wantedPort, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const wechat: LocalWechat = {
    origin: `http://127.0.0.1:${port}`,
    apps: new Map(),
    calls: [],
    tokenSeconds: 7_200,
    fault: undefined,
    delayMs: 0,
    ticketSeconds: 7_200,
    ticket: undefined,
    urlLink: undefined,
    users: newUsers(),
    addApp: (appId, secret, pages = ["pages/index/index"]) => {
      const state = {
        secret,
        issued: 0,
        tickets: 0,
        token: "",
        expiresAt: 0,
        pages: new Set(pages),
      };
      wechat.apps.set(appId, state);
    },
    revoke: (appId) => issue(wechat, appId),
    callsTo: (path) => wechat.calls.filter((one) => one.path === path),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return wechat;
}

function issue(wechat: LocalWechat, appId: string): void {
  const app = wechat.apps.get(appId);
  if (!app) return;
  app.issued += 1;
  app.token = `token-${appId}-${app.issued}`;
  app.expiresAt = Date.now() + wechat.tokenSeconds * 1_000;
}

async function answer(wechat: LocalWechat, req: IncomingMessage, res: ServerResponse) {
  let text = "";
  for await (const part of req) text += part;
  const url = new URL(req.url ?? "/", wechat.origin);
  const body: Record<string, unknown> = text === "" ? {} : JSON.parse(text);
  const called = { path: url.pathname, query: url.searchParams, body };
  wechat.calls.push(called);
  const fault = wechat.fault?.(called);
  if (fault === "hang") return;
  if (fault === "reset") {
    res.destroy();
    return;
  }
  if (url.pathname === "/connect/oauth2/authorize") {
    sendAuthorize(wechat, req.url ?? "", res);
    return;
  }
  if (wechat.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, wechat.delayMs));
  const reply = typeof fault === "number" ? failure(fault) : await replyTo(wechat, called);
  if (fault === "cut") {
    res.destroy();
    return;
  }
  const isPicture = Buffer.isBuffer(reply);
  res.writeHead(200, { "content-type": isPicture ? "image/png" : "application/json" });
  res.end(isPicture ? reply : JSON.stringify(reply));
}

function sendAuthorize(wechat: LocalWechat, url: string, res: ServerResponse): void {
  const shown = authorize(wechat.users, url, (appId) => wechat.apps.has(appId));
  if (shown === undefined) res.writeHead(400).end("redirect_uri 参数错误");
  else if ("redirect" in shown) res.writeHead(302, { location: shown.redirect }).end();
  else res.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(shown.html);
}

function failure(errcode: number): object {
  return { errcode, errmsg: messages[errcode] ?? `error ${errcode} rid: 655d9278-7c157f97` };
}

async function replyTo(wechat: LocalWechat, called: WechatCalled): Promise<object | Buffer> {
  if (called.path === "/cgi-bin/stable_token") return stableToken(wechat, called);
  if (called.path.startsWith("/sns/")) {
    const secretOf = (appId: string) => wechat.apps.get(appId)?.secret;
    const reply = replyToUser(wechat.users, called.path, called.query, secretOf);
    return typeof reply === "number" ? failure(reply) : reply;
  }
  return await replyWithToken(wechat, called);
}

function stableToken(wechat: LocalWechat, { body }: WechatCalled): object {
  const appId = String(body["appid"]);
  const app = wechat.apps.get(appId);
  if (body["grant_type"] !== "client_credential") return failure(40002);
  if (!app) return failure(40013);
  if (app.secret !== body["secret"]) return failure(40001);
  const isLast = app.expiresAt - Date.now() < 300_000;
  if (isLast || body["force_refresh"] === true) issue(wechat, appId);
  const seconds = Math.floor((app.expiresAt - Date.now()) / 1_000);
  return { access_token: app.token, expires_in: seconds };
}

async function replyWithToken(wechat: LocalWechat, called: WechatCalled): Promise<object | Buffer> {
  const token = called.query.get("access_token");
  const app = [...wechat.apps.values()].find((one) => one.token === token && token !== "");
  if (!app) return failure(40001);
  if (app.expiresAt < Date.now()) return failure(42001);
  if (called.path === "/cgi-bin/ticket/getticket") return jsapiTicket(wechat, app, called);
  if (called.path === "/wxa/generate_urllink") return urlLink(wechat, app, called);
  if (called.path === "/wxa/getwxacodeunlimit") return await unlimitedCode(app, called);
  return failure(40066);
}

function jsapiTicket(wechat: LocalWechat, app: AppState, { query }: WechatCalled): object {
  if (query.get("type") !== "jsapi") return failure(40097);
  app.tickets += 1;
  const ticket = wechat.ticket ?? `ticket-${app.token}-${app.tickets}`;
  return { errcode: 0, errmsg: "ok", ticket, expires_in: wechat.ticketSeconds };
}

let tickets = 0;

function urlLink(wechat: LocalWechat, app: AppState, { body }: WechatCalled): object {
  if (!app.pages.has(String(body["path"]))) return failure(40165);
  if (body["expire_type"] !== 1 || Number(body["expire_interval"]) > 30) return failure(85402);
  tickets += 1;
  const url = wechat.urlLink ?? `https://wxaurl.cn/Ticket${tickets}`;
  return { errcode: 0, errmsg: "ok", url_link: url };
}

async function unlimitedCode(app: AppState, { body }: WechatCalled): Promise<object | Buffer> {
  const scene = String(body["scene"] ?? "");
  if (!/^[\w!#$&'()*+,/:;=?@.~-]{1,32}$/.test(scene)) return failure(40169);
  if (!app.pages.has(String(body["page"]))) return failure(41030);
  const width = Number(body["width"] ?? 430);
  const picture = { width, height: width, channels: 3 as const, background: "white" };
  return await sharp({ create: picture }).png().toBuffer();
}
