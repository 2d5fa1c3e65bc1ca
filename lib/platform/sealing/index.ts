/**
 * Encrypts secrets that must be read again: AES-256-GCM with a key per purpose, derived from
 * FUXI_SESSION_SECRET.
 *
 *     nonce (12) │ tag (16) │ secret
 *
 * `boundTo` names the row: in another row, a copied secret cannot be opened. Earlier secrets in
 * FUXI_SESSION_SECRET_PREVIOUS can still open what they sealed, until resealing.ts seals it again.
 */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { config } from "#lib/platform/config";
import { deriveKey, sealWith, tryUnsealWith, unsealWith } from "./ciphers.ts";
import { listFormerKeys } from "./resealing.ts";

export { sealWith, unsealWith } from "./ciphers.ts";
export {
  fingerprintOf,
  formerKeyColumn,
  keepFormerKeys,
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

/** Throws when `boundTo` differs, the text was changed, or the settings lack its secret. */
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

/** Seals one block of 16 bytes, deterministically and unauthenticated. Callers look up what it opens to. */
export function sealBlock(purpose: string, block: Buffer): Buffer {
  const cipher = createCipheriv("aes-256-ecb", keyFor(purpose), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

/** Opens a block with every current and former key. Callers look up each result. */
export async function unsealBlock(purpose: string, sealed: Buffer): Promise<Buffer[]> {
  const previous = config().FUXI_SESSION_SECRET_PREVIOUS.map((one) => deriveKey(one, purpose));
  const former = await listFormerKeys(purpose);
  return [keyFor(purpose), ...previous, ...former].map((key) => {
    const cipher = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(sealed), cipher.final()]);
  });
}
