/** Access to metrics, and to the check of hosts for certificates. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { config } from "#lib/platform/config";

/**
 * True for a request with the operator's token. The source address does not count: a proxy on the same machine may forward
 * requests of visitors without any header.
 */
export function isOperator(req: IncomingMessage): boolean {
  // defence: metrics-token
  return isToken(bearerOf(req), config().FUXI_OPERATOR_TOKEN);
}

/** True for a request with the token for certificates, in the query or as Bearer token. */
export function mayAskForCertificates(req: IncomingMessage, token: string | null): boolean {
  // defence: certificate-token
  return isToken(token ?? bearerOf(req), config().FUXI_CERTIFICATE_TOKEN);
}

function bearerOf({ headers }: IncomingMessage): string {
  return /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
}

/** Of equal length for any input, so that the comparison takes constant time. */
function isToken(given: string, token: string | undefined): boolean {
  return token !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
