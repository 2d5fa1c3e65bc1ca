/** Who may read the figures of an installation, and who may ask it which hosts may have certificates. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { config } from "#lib/platform/config";
import { isTrustedPeer } from "./address.ts";

/** True for a request from this machine that came through no proxy, and for one with the operator's token. */
export function isOperator(req: IncomingMessage): boolean {
  const { FUXI_OPERATOR_TOKEN } = config();
  return isFromHere(req) || isToken(bearerOf(req), FUXI_OPERATOR_TOKEN);
}

/**
 * True for who has the token, in the query or as Bearer. Without a token in the configuration, for a request of this
 * machine or of a trusted proxy, of its own: what it passes on for visitors has a forwarding header.
 */
export function mayAskForCertificates(req: IncomingMessage, token: string | null): boolean {
  const { FUXI_CERTIFICATE_TOKEN } = config();
  if (FUXI_CERTIFICATE_TOKEN !== undefined) {
    return isToken(token ?? bearerOf(req), FUXI_CERTIFICATE_TOKEN);
  }
  return isFromHere(req) || (isTrustedPeer(req) && !isForwarded(req));
}

/** A visitor who comes through a proxy on this machine carries a forwarding header. */
function isFromHere(req: IncomingMessage): boolean {
  const address = req.socket.remoteAddress ?? "";
  const loopback = /^(::ffff:)?127\.|^::1$/.test(address);
  return loopback && !isForwarded(req);
}

function isForwarded({ headers }: IncomingMessage): boolean {
  return headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
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
