/**
 * Leads and sales of links. One transaction records each with its customer, the counters of its
 * link and the events of webhooks, so a crash leaves all or nothing, and a repeated call finds the
 * first one: a lead counts once per customer and event name, a sale once per invoice. Calls about
 * one customer wait for each other. An event copies what is known about its click, because clicks
 * are only kept for some months. A sale follows the last lead of its customer. Reports with a
 * public key are not verified: such sales are counted separately, and an API key that reports the
 * same invoice replaces them.
 */
import { openTrackingKey } from "#lib/analytics/tracking-keys";
import { type VisibleLinks, visibleLinks } from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordLead } from "./leads.ts";
import type { Reporter } from "./recording.ts";
import { recordSale } from "./sales.ts";
import type { TrackedLead, TrackedSale, TrackLead, TrackSale } from "./schema.ts";

export { contactLeadJobs, countContactLeads } from "./contact-leads.ts";

const everyLink: VisibleLinks = { hiddenFolderPks: [], domainPks: null, folderPks: null };

async function reporterOf(scope: WorkspaceScope): Promise<Reporter> {
  assertMay(scope, "conversions.write");
  const { workspacePk, workspaceId } = scope;
  const seesPeople = scope.permissions.has("people.view");
  return { workspacePk, workspaceId, seen: await visibleLinks(scope), verified: true, seesPeople };
}

export async function trackLead(scope: WorkspaceScope, body: TrackLead): Promise<TrackedLead> {
  return await recordLead(await reporterOf(scope), body);
}

export async function trackSale(scope: WorkspaceScope, body: TrackSale): Promise<TrackedSale> {
  return await recordSale(await reporterOf(scope), body);
}

export interface PublicCall {
  key: string;
  origin: string | undefined;
  address: string;
}

async function publicReporter({ key, origin, address }: PublicCall): Promise<Reporter> {
  const attempt = await tryLimit("publicTrackPerAddress", addressSubject(address));
  if (!attempt.ok) {
    const message = "Too many requests from your IP address. Wait, then try again.";
    throw new AppError("rate_limit_exceeded", message, attempt);
  }
  const owner = await openTrackingKey(key, origin);
  return { ...owner, seen: everyLink, verified: false, seesPeople: false };
}

/** Returns nothing, because anyone can call it and must not learn who is a customer. */
export async function trackLeadPublicly(call: PublicCall, body: TrackLead): Promise<void> {
  await recordLead(await publicReporter(call), body);
}

export async function trackSalePublicly(call: PublicCall, body: TrackSale): Promise<void> {
  await recordSale(await publicReporter(call), body);
}
