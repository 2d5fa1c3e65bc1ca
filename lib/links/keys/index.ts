/** Validates chosen keys, and draws random ones where a generated code does not fit. */
import { randomInt } from "node:crypto";
import { skeletonOf } from "#lib/basics/urls/schema";
import { keyCharsMax } from "#lib/links/fields/schema";
import type { Domain } from "#lib/links/hosts";
import { foldKey } from "#lib/links/link-cache";
import { rootKey } from "#lib/links/link-columns/schema";
import { isAllowedCode, isReservedSegment } from "#lib/platform/codes";

export { openPool, takeCodes } from "./pool.ts";
export { leaseRange, readLeases } from "./ranges.ts";
export {
  addRecycledCodes,
  drawRecycledCodes,
  dropUsedCodes,
  recyclesCodes,
  sweepRecycledCodes,
} from "./recycled-codes.ts";
export { rootKey };

/** The length of a generated code, and the default length of a drawn key. */
export const codeChars = 6;
const drawsMax = 50;

export type ParsedKey = { ok: true; key: string } | { ok: false; message: string };

const forbidden = /[\p{Cc}\p{Cf}\p{Cs}\s\\?#%]/u;
/** Emoji may contain invisible characters. Anywhere else those are deceptive. */
const emoji = /\p{RGI_Emoji}/gv;

function invalidKey(message: string): ParsedKey {
  return { ok: false, message };
}

export function parseKey(text: string, domain: Domain): ParsedKey {
  const trimmed = text.normalize("NFC").replace(/^\/+|\/+$/g, "");
  const key = domain.caseInsensitive ? foldKey(trimmed) : trimmed;
  if (key === "" || [...key].length > keyCharsMax) {
    return invalidKey(`Use 1 to ${keyCharsMax} characters.`);
  }
  if (forbidden.test(key.replace(emoji, ""))) {
    return invalidKey("Remove spaces, control or invisible characters, ?, #, % and \\.");
  }
  if (key === rootKey && domain.workspacePk === undefined) {
    return invalidKey(`${rootKey} is only available on your own domains.`);
  }
  return checkSegments(key);
}

/** Like `parseKey`, for a new or renamed link. */
export function parseNewKey(text: string, domain: Domain): ParsedKey {
  if (domain.isPublic) return invalidKey(`Slugs on ${domain.slug} are always random.`);
  const parsed = parseKey(text, domain);
  if (!parsed.ok || domain.workspacePk !== undefined || !isImpersonation(parsed.key)) return parsed;
  return invalidKey("This slug looks like a page of this instance. Choose another one.");
}

function checkSegments(key: string): ParsedKey {
  const segments = key.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return invalidKey("Remove empty, . and .. segments between slashes.");
  }
  const [first = ""] = segments;
  if (isReservedSegment(first)) return invalidKey(`"${first}" is reserved. Choose another one.`);
  return { ok: true, key };
}

const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Draws a random key. It is stored as an alias, because it is not a code. */
export function drawKey(prefix: string, length: number, caseInsensitive: boolean): string {
  const choices = caseInsensitive ? 36 : digits.length;
  let drawn = "";
  for (let draw = 0; draw < drawsMax; draw++) {
    drawn = "";
    while (drawn.length < length) drawn += digits.charAt(randomInt(choices));
    if (isAllowedCode(drawn)) break;
  }
  return prefix === "" ? drawn : `${prefix}/${drawn}`;
}

/**
 * Slugs that resemble a page of the instance: a form under `<dashboard>/login` is phishing under a
 * trusted name. Refused on the domain that all workspaces share, allowed on a workspace’s own.
 * Look-alike spellings count too: case, separators, digits, accents, other scripts.
 */
const words = `
  login logon signin signon signup register logout signout account accounts myaccount settings
  admin administrator dashboard backoffice sysadmin auth oauth sso saml authenticate authorize mfa
  otp twofactor security secure password passwords passwordreset resetpassword recover recovery
  verification verifyaccount helpdesk billing payment payments fuxi
  anmelden konto passwort connexion compte iniciarsesion cuenta accedi
  登录 登陆 登入 注册 账户 账号 帐户 帐号 管理 管理员 密码 安全 验证
  登錄 註冊 帳戶 帳號 密碼 驗證 ログイン パスワード 로그인 비밀번호
  вход войти логин пароль аккаунт авторизация безопасность`;

const skeletons = new Set(words.trim().split(/\s+/).map(skeletonOf));

function isImpersonation(key: string): boolean {
  const [first = ""] = key.split("/");
  // defence: impersonating-slugs
  return skeletons.has(skeletonOf(first));
}
