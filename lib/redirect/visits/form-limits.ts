/** How often forms can be answered. */
import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ShownForm } from "#lib/links/forms/schema";
import { type LimitCall, tryLimits } from "#lib/platform/limits";
import { findBranding } from "./branding.ts";
import { sendPage } from "./pages.ts";
import { signingKey } from "./signing.ts";

/** False: the visitor got a response. */
export async function takeLimits(
  req: IncomingMessage,
  res: ServerResponse,
  { workspacePk }: ShownForm,
  limits: readonly LimitCall[],
): Promise<boolean> {
  const limit = await tryLimits(limits);
  if (limit.ok) return true;
  const branding = await findBranding(workspacePk);
  const head = ["Retry-After", String(limit.retryAfterSeconds)];
  sendPage(req, res, 429, "tooMany", { head, branding });
  return false;
}

/** What limits know a phone by: a plain digest could be guessed, because there are few numbers. */
export function phoneSubject({ workspacePk }: ShownForm, phone: string): string {
  const key = signingKey("fuxi form phones");
  return createHmac("sha256", key).update(`${workspacePk} ${phone}`).digest("base64url");
}
