/**
 * "JS-SDK使用权限签名算法", developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/JS-SDK, appendix 1: with it, a page may use
 * the SDK for 2 hours under exactly this URL.
 */
import { createHash, randomBytes } from "node:crypto";

export interface PageSignature {
  nonceStr: string;
  /** Seconds since 1970. */
  timestamp: number;
  signature: string;
}

interface SignedPage {
  ticket: string;
  /** A page of this instance, as browsers request it. Whoever has a signature may use the SDK under this URL. */
  url: string;
  now: number;
  nonceStr?: string;
}

export function signPage({
  ticket,
  url,
  now,
  nonceStr = randomBytes(12).toString("hex"),
}: SignedPage): PageSignature {
  const timestamp = Math.floor(now / 1_000);
  const [page] = url.split("#", 1);
  // In the order of their names, not encoded.
  const text = `jsapi_ticket=${ticket}&noncestr=${nonceStr}&timestamp=${timestamp}&url=${page}`;
  return { nonceStr, timestamp, signature: createHash("sha1").update(text).digest("hex") };
}
