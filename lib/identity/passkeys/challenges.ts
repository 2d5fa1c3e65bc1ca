/** A challenge is signed for one purpose, valid for ten minutes, and accepted once. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { minuteMs } from "#lib/basics/time/schema";
import { config } from "#lib/platform/config";
import { tryLimit } from "#lib/platform/limits";

const validMs = 10 * minuteMs;
const timeBytes = 6;
const randomPart = 16;
const termsBytes = timeBytes + randomPart;

/** What a passkey is asked for, and by whom. */
export type PasskeyPurpose = "sign in" | `${"add" | "prove" | "finish"} ${string}`;

function sign(terms: Buffer, purpose: PasskeyPurpose): Buffer {
  return createHmac("sha256", config().FUXI_SESSION_SECRET)
    .update(`fuxi passkey\n${purpose}\n`)
    .update(terms)
    .digest();
}

export function newChallenge(purpose: PasskeyPurpose, now = Date.now()): Uint8Array<ArrayBuffer> {
  const terms = Buffer.alloc(termsBytes);
  terms.writeUIntBE(now + validMs, 0, timeBytes);
  randomBytes(randomPart).copy(terms, timeBytes);
  return Uint8Array.from(Buffer.concat([terms, sign(terms, purpose)]));
}

export async function acceptChallenge(
  challenge: string,
  purpose: PasskeyPurpose,
  now = Date.now(),
): Promise<boolean> {
  const bytes = Buffer.from(challenge, "base64url");
  const terms = bytes.subarray(0, termsBytes);
  const expected = sign(terms, purpose);
  if (bytes.length !== termsBytes + expected.length) return false;
  // defence: passkey-challenge-signed
  if (!timingSafeEqual(bytes.subarray(termsBytes), expected)) return false;
  // defence: passkey-challenge-ends
  if (terms.readUIntBE(0, timeBytes) < now) return false;
  // defence: passkey-challenge-once
  return (await tryLimit("passkeyPerChallenge", terms.toString("base64url"))).ok;
}
