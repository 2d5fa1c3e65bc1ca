/**
 * A proof of work, so that each link costs a script some time. The browser appends numbers to a
 * challenge until the hash begins with zeros. A challenge is signed for one URL and network, valid
 * for ten minutes, and accepted once.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { config } from "#lib/platform/config";
import { type Network, tryLimit } from "#lib/platform/limits";
import { isWork } from "./schema.ts";

const validMs = 600_000;
const pattern = /^((\d{13})\.[\w-]{12})\.([\w-]{43})\.\d{1,9}$/;

export interface WorkSubject {
  url: string;
  network: Network;
}

function sign(terms: string, { url, network }: WorkSubject): Buffer {
  return createHmac("sha256", config().FUXI_SESSION_SECRET)
    .update(`fuxi public link\n${terms}\n${network}\n${url}`)
    .digest();
}

export function challengeOf(subject: WorkSubject, now = Date.now()): string {
  const terms = `${now + validMs}.${randomBytes(9).toString("base64url")}`;
  return `${terms}.${sign(terms, subject).toString("base64url")}`;
}

export async function acceptWork(
  work: string,
  subject: WorkSubject,
  now = Date.now(),
): Promise<boolean> {
  const [, terms = "", until, signature = ""] = pattern.exec(work) ?? [];
  if (!(Number(until) > now)) return false;
  // defence: public-work-signed
  if (!timingSafeEqual(Buffer.from(signature, "base64url"), sign(terms, subject))) return false;
  // defence: public-work-done
  if (!isWork(hash("sha256", work, "buffer"))) return false;
  // defence: public-work-once
  return (await tryLimit("publicLinkPerWork", terms)).ok;
}
