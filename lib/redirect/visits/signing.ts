/** Keys for what this room signs, each of its own purpose, so that nothing signed for one is worth anything for another. */
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
