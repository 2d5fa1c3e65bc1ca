/**
 * The error codes of WeChat, and when to repeat a call.
 *
 * Sources on developers.weixin.qq.com: "获取稳定版接口调用凭据"
 * (doc/service/api/base/api_getstableaccesstoken), "获取加密URLLink"
 * (miniprogram/dev/server/API/qrcode-link/url-link/api_generateurllink), "获取不限制的小程序码"
 * (…/qr-code/api_getunlimitedqrcode).
 */
import { isIP } from "node:net";
import { dayMs, hourMs, minuteMs } from "#lib/basics/time/schema";
import { assertNever } from "#lib/basics/variants/schema";
import type { WechatProblem } from "./schema.ts";

export interface WechatFailure {
  ok: false;
  problem: WechatProblem;
  errcode: number | null;
  /** Our address as WeChat sees it, only with the problem `address`. */
  address: string | null;
}

export type WechatResult<T> = { ok: true; value: T } | WechatFailure;

const problemOf: ReadonlyMap<number, WechatProblem> = new Map<number, WechatProblem>([
  [-1, "busy"],
  [40001, "secret"],
  [40125, "secret"],
  [40002, "refused"],
  [40013, "appId"],
  [40164, "address"],
  [40165, "page"],
  [41030, "page"],
  [40212, "query"],
  [42001, "busy"],
  [40014, "busy"],
  [44990, "busy"],
  [45011, "busy"],
  [45009, "dailyLimit"],
  [48001, "permission"],
  [85079, "unpublished"],
]);

export function isStaleToken(errcode: number): boolean {
  return errcode === 40001 || errcode === 40014 || errcode === 42001;
}

export function failureOf(errcode: number, errmsg: string): WechatFailure {
  const problem = problemOf.get(errcode) ?? "refused";
  return { ok: false, problem, errcode, address: problem === "address" ? addressIn(errmsg) : null };
}

export const noAnswer: WechatFailure = {
  ok: false,
  problem: "unreachable",
  errcode: null,
  address: null,
};

/** For example "invalid ip 203.0.113.7 ipv6 ::ffff:203.0.113.7, not in whitelist". */
function addressIn(errmsg: string): string | null {
  const word = /\bip (\S{2,45}?)(?:,|\s|$)/.exec(errmsg)?.[1] ?? "";
  return isIP(word) > 0 ? word : null;
}

/** Daily limits end at midnight in China. */
const chinaMs = 8 * hourMs;
const backoffMaxMs = hourMs;

/** Null: only after a change or check. Problems that people correct at WeChat are tried every hour. */
export function retryAt(problem: WechatProblem, attempts: number, now: number): number | null {
  switch (problem) {
    case "secret":
    case "appId":
    case "permission":
    case "refused":
      return null;
    case "address":
    case "page":
    case "query":
    case "unpublished":
      return now + hourMs;
    case "dailyLimit":
      return Math.floor((now + chinaMs) / dayMs) * dayMs + dayMs - chinaMs;
    case "busy":
    case "unreachable":
      return now + Math.min(minuteMs * 2 ** Math.min(attempts, 10), backoffMaxMs);
    default:
      return assertNever(problem);
  }
}
