/**
 * Encrypts secrets that must be read again: AES-256-GCM with a key per purpose, derived from FUXI_SESSION_SECRET.
 *
 *     nonce (12) │ tag (16) │ secret
 *
 * `boundTo` names the row: a sealed secret that is copied into another row cannot be opened there.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { config } from "#lib/platform/config";

const nonceBytes = 12;
const tagBytes = 16;

function keyFor(purpose: string): Buffer {
  return createHmac("sha256", config().FUXI_SESSION_SECRET).update(purpose).digest();
}

/** What a sealed secret is authenticated with besides its key. */
function binding(row: string): Buffer {
  return Buffer.from(row);
}

export function seal(purpose: string, plain: Buffer, boundTo = ""): Buffer {
  return sealWith(keyFor(purpose), plain, boundTo);
}

/** Throws when it was sealed for something else, changed, or sealed with another FUXI_SESSION_SECRET. */
export function unseal(purpose: string, sealed: Buffer, boundTo = ""): Buffer {
  return unsealWith(keyFor(purpose), sealed, boundTo);
}

/**
 * One block of 16 bytes, without a nonce: the same block is the same text each time. It is not authenticated: a forged one
 * opens to random bytes, which must be looked up.
 */
export function sealBlock(purpose: string, block: Buffer): Buffer {
  const cipher = createCipheriv("aes-256-ecb", keyFor(purpose), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

export function unsealBlock(purpose: string, sealed: Buffer): Buffer {
  const cipher = createDecipheriv("aes-256-ecb", keyFor(purpose), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(sealed), cipher.final()]);
}

/** With a key of 32 bytes that is kept elsewhere. */
export function sealWith(key: Buffer, plain: Buffer, boundTo: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(binding(boundTo));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Throws when it was sealed with another key, for something else, or changed. */
export function unsealWith(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, {
    authTagLength: tagBytes,
  });
  decipher.setAAD(binding(boundTo));
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
}
