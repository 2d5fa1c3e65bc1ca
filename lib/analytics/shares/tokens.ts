/** Tokens of shares, found by hash and kept sealed, and grants, which prove a password. */
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { type SealedColumn, seal, unseal } from "#lib/platform/sealing";

const tokenBytes = 24;
const tokenShape = /^[\w-]{32}$/;
const purpose = "share tokens";
export const shareColumn: SealedColumn = {
  table: "share",
  column: "sealed_token",
  key: ["pk"],
  purpose,
  binding: "id",
};

export function isToken(text: string): boolean {
  return tokenShape.test(text);
}

export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

export function makeToken(id: string): { token: string; tokenHash: string; sealedToken: Buffer } {
  const token = randomBytes(tokenBytes).toString("base64url");
  return { token, tokenHash: hashToken(token), sealedToken: seal(purpose, Buffer.from(token), id) };
}

/** Throws conflict if no token was stored, or the secret that sealed it is lost. */
export function openToken(sealed: Buffer | null, id: string): string {
  try {
    if (sealed !== null) return unseal(purpose, sealed, id).toString();
  } catch {}
  const message =
    "The URL of this share link isn’t stored. Create a new share link and revoke this one.";
  throw new AppError("conflict", message, { problem: "share_address_lost" });
}

export const grantSeconds = 12 * 3_600;

/** A grant, in a cookie, proves that a visitor entered the password: end, dot, and HMAC. */
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
