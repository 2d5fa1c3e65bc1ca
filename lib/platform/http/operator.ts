/** Who may read metrics, and who may ask which domains can have certificates. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { config } from "#lib/platform/config";

/**
 * True for a request with the operator's token. Where a request comes from says nothing: a proxy on the same machine may pass
 * on requests of visitors without any header that shows it.
 */
export function isOperator(req: IncomingMessage): boolean {
  return isToken(bearerOf(req), config().FUXI_OPERATOR_TOKEN);
}

/** True for a request with the token for certificates, in the query or as Bearer token. */
export function mayAskForCertificates(req: IncomingMessage, token: string | null): boolean {
  return isToken(token ?? bearerOf(req), config().FUXI_CERTIFICATE_TOKEN);
}

function bearerOf({ headers }: IncomingMessage): string {
  return /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
}

/** Of equal length whatever was sent, so that the comparison takes the same time. */
function isToken(given: string, token: string | undefined): boolean {
  return token !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
