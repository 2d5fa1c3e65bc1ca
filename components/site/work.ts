import { isWork } from "#lib/links/public-links/schema";

/** Appends numbers to the challenge until the hash is that of a proof of work. Undefined without HTTPS, which hashes need. */
export async function doWork(challenge: string): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined;
  const encoder = new TextEncoder();
  for (let number = 0; ; number++) {
    const work = `${challenge}.${number}`;
    const digest = await crypto.subtle.digest("SHA-256", encoder.encode(work));
    if (isWork(new Uint8Array(digest))) return work;
  }
}
