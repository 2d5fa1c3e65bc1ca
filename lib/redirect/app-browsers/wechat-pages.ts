/**
 * Signs pages for the SDK, which then works for 2 hours under exactly this URL: "JS-SDK使用权限签名算法",
 * developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/JS-SDK, appendix 1.
 */
import { createHash, randomBytes } from "node:crypto";
import { config } from "#lib/platform/config";

export interface PageSignature {
  nonceStr: string;
  timestamp: number;
  signature: string;
}

interface SignedPage {
  ticket: string;
  /** A page as browsers request it. Anyone with the signature may use the SDK under this URL. */
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
  // WeChat expects the parameters sorted by name and not encoded.
  const text = `jsapi_ticket=${ticket}&noncestr=${nonceStr}&timestamp=${timestamp}&url=${page}`;
  return { nonceStr, timestamp, signature: createHash("sha1").update(text).digest("hex") };
}

/** `snsapi_base`: the openid, silently. `snsapi_userinfo`: also name and picture, after asking. */
type AuthorizeScope = "snsapi_base" | "snsapi_userinfo";

interface Authorize {
  appId: string;
  /** On an authorized callback domain of the account. */
  callbackUrl: string;
  scope: AuthorizeScope;
  /** Letters and digits, up to 128. */
  state: string;
}

/** WeChat checks the order and case of the parameters. */
export function authorizeUrl({ appId, callbackUrl, scope, state }: Authorize): string {
  const parameters = [
    `appid=${appId}`,
    `redirect_uri=${encodeURIComponent(callbackUrl)}`,
    "response_type=code",
    `scope=${scope}`,
    `state=${state}`,
  ];
  return `${authorizeOrigin()}/connect/oauth2/authorize?${parameters.join("&")}#wechat_redirect`;
}

/** All regions of the API share one page for authorization. A mock serves both. */
function authorizeOrigin(): string {
  const { FUXI_WECHAT_URL } = config();
  return FUXI_WECHAT_URL.startsWith("http:") ? FUXI_WECHAT_URL : "https://open.weixin.qq.com";
}
