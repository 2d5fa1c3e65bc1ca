/** Tokens of share links: the database finds them by their hash, and keeps them sealed to show their URL again. */
import { hash, randomBytes } from "node:crypto";
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

/** A new token, and what is stored of it in the row of a share. */
export function makeToken(id: string): { token: string; tokenHash: string; sealedToken: Buffer } {
  const token = randomBytes(tokenBytes).toString("base64url");
  return { token, tokenHash: hashToken(token), sealedToken: seal(purpose, Buffer.from(token), id) };
}

/**
 * The token of a share. Throws conflict for an older share, which has none, and where the secret that sealed it is lost.
 */
export function openToken(sealed: Buffer | null, id: string): string {
  try {
    if (sealed !== null) return unseal(purpose, sealed, id).toString();
  } catch {
    // As lost as one that was never stored.
  }
  throw new AppError(
    "conflict",
    "The URL of this share link isn’t stored. Create a new share link and revoke this one.",
    { problem: "share_address_lost" },
  );
}
