/** AES-256-GCM with a given key, and keys derived from secrets of the settings. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

const nonceBytes = 12;
const tagBytes = 16;

/** Cached, because some purposes are used for every row of a file. */
const derived = new Map<string, Buffer>();

export function deriveKey(secret: string, purpose: string): Buffer {
  const name = `${purpose}\n${secret}`;
  const known = derived.get(name);
  if (known) return known;
  // defence: secrets-by-purpose
  const key = createHmac("sha256", secret).update(purpose).digest();
  derived.set(name, key);
  return key;
}

function binding(row: string): Buffer {
  // defence: sealed-for-row
  return Buffer.from(row);
}

/** Nonces are drawn many at a time, because a draw costs as much as encrypting a row. */
const noncesDrawn = 256;
let nonces: Buffer = Buffer.alloc(0);

function drawNonce(): Buffer {
  if (nonces.length === 0) nonces = randomBytes(noncesDrawn * nonceBytes);
  const nonce = nonces.subarray(0, nonceBytes);
  nonces = nonces.subarray(nonceBytes);
  return nonce;
}

export function sealWith(key: Buffer, plain: Buffer, boundTo: string): Buffer {
  const nonce = drawNonce();
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(binding(boundTo));
  // defence: tokens-encrypted
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Throws when the key or `boundTo` differs, or the text was changed. */
export function unsealWith(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, {
    authTagLength: tagBytes,
  });
  decipher.setAAD(binding(boundTo));
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
}

export function tryUnsealWith(key: Buffer, sealed: Buffer, boundTo: string): Buffer | undefined {
  try {
    return unsealWith(key, sealed, boundTo);
  } catch {
    return undefined;
  }
}
