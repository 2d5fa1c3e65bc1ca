/** Signing keys of this module, one per purpose, so that a signature for one is worthless for another. */
import { createHmac } from "node:crypto";
import { config } from "#lib/platform/config";

const keys = new Map<string, Buffer>();

export function signingKey(purpose: string): Buffer {
  let key = keys.get(purpose);
  if (!key) {
    key = createHmac("sha256", config().FUXI_SESSION_SECRET).update(purpose).digest();
    keys.set(purpose, key);
  }
  return key;
}
