/**
 * Grants: proof that a visitor entered the password of a share.
 *
 *     <seconds since 1970 at which it ends, base 36> . <HMAC of share, end and password hash, base64url>
 *
 * Bound to this share and its password hash, so it opens no other share. It is stored in a cookie of the share's own
 * path.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { config } from "#lib/platform/config";

export const grantSeconds = 12 * 3_600;

function sign(pk: number, ends: string, passwordHash: string): Buffer {
  const key = createHmac("sha256", config().FUXI_SESSION_SECRET)
    .update("fuxi share grants")
    .digest();
  return createHmac("sha256", key).update(`${pk}\n${ends}\n${passwordHash}`).digest();
}

export function makeGrant(pk: number, passwordHash: string, now: number): string {
  const ends = (Math.floor(now / 1_000) + grantSeconds).toString(36);
  return `${ends}.${sign(pk, ends, passwordHash).toString("base64url")}`;
}

export function isGrant(grant: string, pk: number, passwordHash: string, now: number): boolean {
  const [ends = "", signature = ""] = grant.split(".", 2);
  if (!/^[0-9a-z]{1,9}$/.test(ends) || Number.parseInt(ends, 36) * 1_000 <= now) return false;
  const wanted = sign(pk, ends, passwordHash);
  const given = Buffer.from(signature, "base64url");
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
