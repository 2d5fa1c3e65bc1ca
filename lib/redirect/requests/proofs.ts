/**
 * Proof that a visitor was here before: signatures with an expiry, and the cookies that keep them.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { config } from "#lib/platform/config";

const keys = new Map<string, Buffer>();

/** Each purpose has its own key, so that a signature for one is worthless for another. */
export function sign(purpose: string, text: string): Buffer {
  let key = keys.get(purpose);
  if (!key) {
    key = createHmac("sha256", config().FUXI_SESSION_SECRET).update(purpose).digest();
    keys.set(purpose, key);
  }
  return createHmac("sha256", key).update(text).digest();
}

export function isSigned(purpose: string, text: string, signature: string): boolean {
  const wanted = sign(purpose, text);
  const given = Buffer.from(signature, "base64url");
  // defence: warning-token-signed
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** The expiry of a proof as text: seconds since 1970, in base 36. */
export function expiryText(expiresAt: number): string {
  return Math.floor(expiresAt / 1_000).toString(36);
}

export function hasExpired(ends: string, now: number): boolean {
  // defence: grant-ends
  return !/^[0-9a-z]{1,9}$/.test(ends) || Number.parseInt(ends, 36) * 1_000 <= now;
}

const cookiesMax = 20;

/** The values of a cookie. If there are several, any may be the right one. */
export function cookiesNamed(cookies: string | undefined, name: string): string[] {
  if (!cookies) return [];
  return cookies
    .split(";")
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .slice(0, cookiesMax)
    .map((cookie) => cookie.slice(name.length + 1));
}

/**
 * A Set-Cookie line for this path only. Lax, because visitors come from other sites such as WeChat.
 */
export function cookieLine(
  name: string,
  value: string,
  { path, seconds }: { path: string; seconds: number },
): string {
  // A semicolon would end the path within the line.
  const scope = /^\/[\x21-\x3a\x3c-\x7e]*$/.test(path) ? path : "/";
  const secure = config().FUXI_URL.startsWith("https:") ? "; Secure" : "";
  return `${name}=${value}; Path=${scope}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
