/** What the pages of a form have in common. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CompiledBranding } from "./branding-style.ts";
import { noindex, pageHead, sendDocument } from "./document.ts";
import { withIcp } from "./icp.ts";
import { withReportedLink } from "./report-link.ts";

/** A page of another site must not send answers for its visitors. */
export function isForeign(req: IncomingMessage): boolean {
  const site = req.headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin" && site !== "none";
}

export function sendFormDocument(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  rendered: Buffer,
  branding: CompiledBranding | undefined,
): void {
  const page = withIcp(withReportedLink(rendered, req), req);
  // Some browsers apply a form's policy to the redirect after it, so every web URL must be allowed.
  const head = pageHead(page, "form-action 'self' https: http:", branding);
  const vary = ["Vary", "Cookie"];
  const close = status === 413 ? ["Connection", "close"] : [];
  sendDocument(req, res, status, page, [...head, ...noindex, ...vary, ...close]);
}
