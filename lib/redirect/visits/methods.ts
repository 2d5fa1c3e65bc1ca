/** What may be done with a short link: it is opened. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendPage } from "./pages.ts";

const allow = ["Allow", "GET, HEAD, OPTIONS"];

/** Answers what no link could answer, whether it exists or not: nothing is looked up. False: it may be one for a link. */
export function answerMethod(req: IncomingMessage, res: ServerResponse): boolean {
  const { method } = req;
  if (method === "OPTIONS") {
    // No word about other origins: a script of another site may lead people here, and not read where a link leads.
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
