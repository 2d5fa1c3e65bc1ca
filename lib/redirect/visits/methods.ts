/** The HTTP methods of a short link. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendPage } from "#lib/redirect/visitor-pages";

const allow = ["Allow", "GET, HEAD, OPTIONS"];

/** Answers methods that no link supports, without a lookup. False: the method may be one for a link. */
export function answerMethod(req: IncomingMessage, res: ServerResponse): boolean {
  const { method } = req;
  if (method === "OPTIONS") {
    // No CORS headers: a script of another site may send people here, but not read a destination.
    res.writeHead(204, [...allow, "Cache-Control", "no-store"]).end();
    return true;
  }
  // A form is posted to links with a password.
  if (method === "GET" || method === "HEAD" || method === "POST") return false;
  refuseMethod(req, res);
  return true;
}

export function refuseMethod(req: IncomingMessage, res: ServerResponse): void {
  sendPage(req, res, 405, "refused", { head: allow });
}
