/**
 * Grants: proof that a visitor entered the password of a link.
 *
 *     <seconds since 1970 at which it ends, base 36> . <HMAC of link, end and password hash, base64url>
 *
 * Bound to the hash, so that a new password ends it. The name of the cookie is the same for all links, because an
 * individual name would reveal the number of the link; the path separates them, and of several cookies any may be the
 * right one.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { config } from "#lib/platform/config";
import { signingKey } from "./signing.ts";

const cookieName = "fuxi_grant";
const grantSeconds = 3_600;
const cookiesMax = 20;

function sign(linkPk: number, ends: string, passwordHash: string): Buffer {
  // defence: grant-of-link-and-password
  return createHmac("sha256", signingKey("fuxi link grants"))
    .update(`${linkPk}\n${ends}\n${passwordHash}`)
    .digest();
}

export function makeGrant(linkPk: number, passwordHash: string, now: number): string {
  const ends = (Math.floor(now / 1_000) + grantSeconds).toString(36);
  return `${ends}.${sign(linkPk, ends, passwordHash).toString("base64url")}`;
}

export function isGrant(grant: string, linkPk: number, passwordHash: string, now: number): boolean {
  const [ends = "", signature = ""] = grant.split(".", 2);
  // defence: grant-ends
  if (!/^[0-9a-z]{1,9}$/.test(ends) || Number.parseInt(ends, 36) * 1_000 <= now) return false;
  const wanted = sign(linkPk, ends, passwordHash);
  const given = Buffer.from(signature, "base64url");
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** The values of a cookie in a Cookie header. Of several, any may be the right one. */
export function cookiesNamed(cookies: string | undefined, name: string): string[] {
  if (!cookies) return [];
  return cookies
    .split(";")
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .slice(0, cookiesMax)
    .map((cookie) => cookie.slice(name.length + 1));
}

/** Whether a Cookie header contains a grant for this link. */
export function hasGrant(
  cookies: string | undefined,
  linkPk: number,
  passwordHash: string,
  now: number,
): boolean {
  return cookiesNamed(cookies, cookieName).some((grant) =>
    isGrant(grant, linkPk, passwordHash, now),
  );
}

/** The path of a cookie. A semicolon would end it within the line. */
export function pathScope(path: string): string {
  return /^\/[\x21-\x3a\x3c-\x7e]*$/.test(path) ? path : "/";
}

/** The Set-Cookie line of a grant, for this path only. */
export function grantCookie(grant: string, path: string): string {
  const secure = config().FUXI_URL.startsWith("https:") ? "; Secure" : "";
  return `${cookieName}=${grant}; Path=${pathScope(path)}; Max-Age=${grantSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
