import type { IncomingMessage, ServerResponse } from "node:http";
import { sendPage } from "#lib/redirect/visitor-pages";

const allow = ["Allow", "GET, HEAD, OPTIONS"];

/**
 * Answers methods that no link supports, without a lookup. False: a link may support the method.
 */
export function answerMethod(req: IncomingMessage, res: ServerResponse): boolean {
  const { method } = req;
  if (method === "OPTIONS") {
    // No CORS headers: a script of another site may send people here, but not read a destination.
    res.writeHead(204, [...allow, "Cache-Control", "no-store"]).end();
    return true;
  }
  // Links with a password get a form by POST.
  if (method === "GET" || method === "HEAD" || method === "POST") return false;
  refuseMethod(req, res);
  return true;
}

export function refuseMethod(req: IncomingMessage, res: ServerResponse): void {
  sendPage(req, res, 405, "refused", { head: allow });
}
