/** Signed calls of Alibaba Cloud SMS. */
import { randomUUID } from "node:crypto";
import { type PostOutcome, postPublic } from "#lib/platform/safe-fetch";
import { canonicalQuery, signedHeaders } from "./acs-signature.ts";
import { sendTimeoutMs } from "./client.ts";
import type { SettingsOf } from "./kinds.ts";

export type AlibabaSettings = SettingsOf<"alibaba">;

const version = "2017-05-25";

interface SignedCall {
  action: string;
  query: Readonly<Record<string, string>>;
  body: string;
  contentType?: string;
  bytesMax: number;
}

export async function postSigned(
  { accessKeyId }: AlibabaSettings,
  secret: string,
  origin: string,
  { bytesMax, ...call }: SignedCall,
): Promise<PostOutcome> {
  const request = {
    ...call,
    host: new URL(origin).host,
    version,
    date: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    nonce: randomUUID(),
  };
  const search = canonicalQuery(call.query);
  return await postPublic({
    url: `${origin}/${search === "" ? "" : `?${search}`}`,
    headers: signedHeaders(request, accessKeyId, secret),
    body: call.body,
    timeoutMs: sendTimeoutMs,
    bytesMax,
  });
}

/** Numbers of the mainland without a prefix, others with their country code and without a plus. */
export function numberOf(phone: string): string {
  return phone.startsWith("+86") ? phone.slice(3) : phone.replace(/^\+/, "");
}
