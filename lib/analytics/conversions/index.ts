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
import { UncountedClick } from "./clicks.ts";
import { contactLeadJobs } from "./contact-leads.ts";
import { recordLead } from "./leads.ts";
import { postponedLeadJob, postponeLead, presentPostponed } from "./postponed-leads.ts";
import type { Reporter } from "./recording.ts";
import { recordSale } from "./sales.ts";
import type { TrackedLead, TrackedSale, TrackLead, TrackSale } from "./schema.ts";

export { countContactLeads } from "./contact-leads.ts";

const everyLink: VisibleLinks = { hiddenFolderPks: [], domainPks: null, folderPks: null };

async function reporterOf(scope: WorkspaceScope): Promise<Reporter> {
  assertMay(scope, "conversions.write");
  const { workspacePk, workspaceId } = scope;
  const seesPeople = scope.permissions.has("people.view");
  return { workspacePk, workspaceId, seen: await visibleLinks(scope), verified: true, seesPeople };
}

/** A lead whose click is not counted in time is recorded later, unless the caller waits for it. */
export async function trackLead(scope: WorkspaceScope, body: TrackLead): Promise<TrackedLead> {
  try {
    return await recordLead(await reporterOf(scope), body);
  } catch (error) {
    const mayWait = error instanceof UncountedClick && body.mode !== "wait";
    if (!mayWait || !(await postponeLead(scope, body))) throw error;
    return presentPostponed(body);
  }
}

/** Records a postponed lead, or throws why it cannot. */
async function recordPostponed(scope: WorkspaceScope, body: TrackLead): Promise<void> {
  await recordLead(await reporterOf(scope), body, 0);
}

export const leadJobs = [...contactLeadJobs, postponedLeadJob(recordPostponed)] as const;

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
