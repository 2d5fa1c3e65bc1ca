/**
 * Encrypts secrets that must be read again: AES-256-GCM with a key per purpose, derived from FUXI_SESSION_SECRET.
 *
 *     nonce (12) │ tag (16) │ secret
 *
 * `boundTo` names the row: a sealed secret that is copied into another row cannot be opened there.
 *
 * Everything is sealed with the current secret. What an earlier one has sealed is opened as long as it is in
 * FUXI_SESSION_SECRET_PREVIOUS; resealing.ts seals it again, so that the earlier one is not needed any more.
 */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { config } from "#lib/platform/config";
import { deriveKey, sealWith, tryUnsealWith, unsealWith } from "./ciphers.ts";
import { listFormerKeys } from "./former-keys.ts";

export { sealWith, unsealWith } from "./ciphers.ts";
export { formerKeyColumn, keepFormerKeys } from "./former-keys.ts";
export {
  fingerprintOf,
  type Resealed,
  resealColumn,
  type SealedColumn,
} from "./resealing.ts";

function keyFor(purpose: string): Buffer {
  return deriveKey(config().FUXI_SESSION_SECRET, purpose);
}

export function seal(purpose: string, plain: Buffer, boundTo = ""): Buffer {
  return sealWith(keyFor(purpose), plain, boundTo);
}

/** Throws when it was sealed for something else, changed, or sealed with a secret that the settings do not have. */
export function unseal(purpose: string, sealed: Buffer, boundTo = ""): Buffer {
  try {
    return unsealWith(keyFor(purpose), sealed, boundTo);
  } catch (error) {
    for (const secret of config().FUXI_SESSION_SECRET_PREVIOUS) {
      const plain = tryUnsealWith(deriveKey(secret, purpose), sealed, boundTo);
      if (plain) return plain;
    }
    throw error;
  }
}

/**
 * One block of 16 bytes, without a nonce: the same block is the same text each time. It is not authenticated: a forged one
 * opens to random bytes, which must be looked up.
 */
export function sealBlock(purpose: string, block: Buffer): Buffer {
  const cipher = createCipheriv("aes-256-ecb", keyFor(purpose), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

/** What a block may be: opened with the key of each secret of the settings, and with those of earlier ones. */
export async function unsealBlock(purpose: string, sealed: Buffer): Promise<Buffer[]> {
  const previous = config().FUXI_SESSION_SECRET_PREVIOUS.map((one) => deriveKey(one, purpose));
  const former = await listFormerKeys(purpose);
  return [keyFor(purpose), ...previous, ...former].map((key) => {
    const cipher = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(sealed), cipher.final()]);
  });
}
