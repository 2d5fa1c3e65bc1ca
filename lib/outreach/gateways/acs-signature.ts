/**
 * ACS3-HMAC-SHA256:
 * alibabacloud.com/help/en/sdk/product-overview/v3-request-structure-and-signature
 */
import { createHash, createHmac } from "node:crypto";

export interface AcsRequest {
  host: string;
  action: string;
  version: string;
  query: Readonly<Record<string, string>>;
  body: string;
  contentType?: string;
  date: string;
  nonce: string;
}

const algorithm = "ACS3-HMAC-SHA256";

export function signedHeaders(
  request: AcsRequest,
  keyId: string,
  secret: string,
): Record<string, string> {
  const headers: Record<string, string> = {
    host: request.host,
    "x-acs-action": request.action,
    "x-acs-content-sha256": sha256(request.body),
    "x-acs-date": request.date,
    "x-acs-signature-nonce": request.nonce,
    "x-acs-version": request.version,
    ...(request.contentType ? { "content-type": request.contentType } : {}),
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    "POST",
    "/",
    canonicalQuery(request.query),
    names.map((name) => `${name}:${headers[name]?.trim()}\n`).join(""),
    names.join(";"),
    sha256(request.body),
  ].join("\n");
  const signature = createHmac("sha256", secret)
    .update(`${algorithm}\n${sha256(canonical)}`)
    .digest("hex");
  return {
    ...headers,
    authorization: `${algorithm} Credential=${keyId},SignedHeaders=${names.join(";")},Signature=${signature}`,
  };
}

export function canonicalQuery(query: Readonly<Record<string, string>>): string {
  return Object.keys(query)
    .sort()
    .map((name) => `${encode(name)}=${encode(query[name] ?? "")}`)
    .join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
