/** Who may read the figures of an installation. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { config } from "#lib/config";

/** True for a request from this machine that came through no proxy, and for one with the operator's token. */
export function isOperator(req: IncomingMessage): boolean {
  return isFromHere(req) || hasToken(req.headers.authorization ?? "");
}

/** A visitor who comes through a proxy on this machine carries a forwarding header. */
function isFromHere(req: IncomingMessage): boolean {
  const address = req.socket.remoteAddress ?? "";
  const loopback = /^(::ffff:)?127\.|^::1$/.test(address);
  return loopback && req.headers["x-forwarded-for"] === undefined && !req.headers.forwarded;
}

function hasToken(header: string): boolean {
  const token = config().FUXI_OPERATOR_TOKEN;
  if (!token) return false;
  // Of equal length whatever was sent, so that the comparison takes the same time.
  return timingSafeEqual(digest(header), digest(`Bearer ${token}`));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
