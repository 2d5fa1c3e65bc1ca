/**
 * Grants: proof that a visitor entered the password of a link.
 *
 *     <seconds since 1970 at which it ends, base 36> . <HMAC of link, end and password hash, base64url>
 *
 * Bound to the hash, so that a new password ends it. The name of the cookie is the same for all links, because an
 * individual name would reveal the number of the link; the path separates them, and of several cookies any may be the
 * right one.
 */
import {
  cookieLine,
  cookiesNamed,
  expiryText,
  hasExpired,
  isSigned,
  sign,
} from "#lib/redirect/requests";

const purpose = "fuxi link grants";
const cookieName = "fuxi_grant";
const grantSeconds = 3_600;

function textOf(linkPk: number, ends: string, passwordHash: string): string {
  // defence: grant-of-link-and-password
  return `${linkPk}\n${ends}\n${passwordHash}`;
}

export function makeGrant(linkPk: number, passwordHash: string, now: number): string {
  const ends = expiryText(now + grantSeconds * 1_000);
  return `${ends}.${sign(purpose, textOf(linkPk, ends, passwordHash)).toString("base64url")}`;
}

export function isGrant(grant: string, linkPk: number, passwordHash: string, now: number): boolean {
  const [ends = "", signature = ""] = grant.split(".", 2);
  return !hasExpired(ends, now) && isSigned(purpose, textOf(linkPk, ends, passwordHash), signature);
}

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

export function grantCookie(grant: string, path: string): string {
  return cookieLine(cookieName, grant, { path, seconds: grantSeconds });
}
