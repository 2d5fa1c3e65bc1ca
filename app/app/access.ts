/** User and workspace of a request: the first step of every page and action of the dashboard. */
import { revalidatePath } from "next/cache";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { getRequestOrigin, getSessionUser } from "#lib/identity/auth";
import { endSession } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { AppError, type ErrorCode } from "#lib/platform/errors";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { withOrigin } from "#lib/tenancy/audit";
import { openWorkspace } from "#lib/tenancy/workspaces";
import { sessionOver } from "#lib/tenancy/workspaces/schema";
import type { FormAnswer } from "../../components/forms/form.tsx";
import { destinationMessages } from "../destination-messages.ts";
import { unlessUnavailable } from "../store-unavailable.ts";

/** The signed-in user; everyone else is sent to sign in and returns to `next`. */
export const requireUser = cache(async (next = "/app"): Promise<SessionUser> => {
  const user = await getSessionUser();
  return user ?? redirect(`/signin?next=${encodeURIComponent(next)}`);
});

/** The person's scope in a workspace; other workspaces are a page that does not exist. */
export const requireScope = cache(async (slug: string): Promise<WorkspaceScope> => {
  const user = await requireUser(`/app/${slug}`);
  const scope = await openWorkspace(user.id, slug, user.sessionId).catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.problem?.code !== sessionOver) throw error;
    // The page to sign in would send a signed-in person back here.
    await endSession(user.sessionId);
    return redirect(`/signin?next=${encodeURIComponent(`/app/${slug}`)}`);
  });
  return scope ?? notFound();
});

const messages: Partial<Record<ErrorCode, ErrorMessageKey>> = {
  forbidden: "notAllowed",
  not_found: "gone",
  rate_limit_exceeded: "tooManyAttempts",
  service_unavailable: "unavailable",
  unauthorized: "signedOut",
};

/** More exact than the code, by the cause of the error. */
const problemMessages: Readonly<Record<string, ErrorMessageKey>> = {
  ...destinationMessages,
  announcements_full: "announcementsFull",
  campaigns_full: "campaignsFull",
  heading_alone: "headingAlone",
  recipients_clicked: "recipientsClicked",
  recipients_sent: "recipientsSent",
  source_state: "changedMeanwhile",
  sources_full: "sourcesFull",
  appeal_gone: "appealGone",
  ban_administrator: "banAdministrator",
  ban_end_past: "banEnd",
  ban_exists: "banExists",
  ban_gone: "banGone",
  ban_host: "banHostMissing",
  ban_link: "banLinkMissing",
  ban_own_host: "banOwnHost",
  ban_user: "banUserMissing",
  ban_workspace: "banWorkspaceMissing",
  refused_job_open: "refusedJobOpen",
  reports_gone: "reportsGone",
  annotations_full: "annotationsFull",
  campaign_empty: "campaignEmpty",
  campaign_erased: "campaignErased",
  consent_missing: "consentMissing",
  gateway_column: "gatewayColumn",
  gateway_gone: "gatewayGone",
  gateway_in_use: "gatewayInUse",
  gateway_in_forms: "gatewayInForms",
  gateway_secret: "gatewaySecret",
  gateway_url: "gatewayUrl",
  gateways_full: "gatewaysFull",
  wechat_accounts_full: "wechatAccountsFull",
  wechat_app_exists: "wechatAppExists",
  wechat_file_link: "wechatFileLink",
  wechat_not_official: "wechatNotOfficial",
  domain_unverified: "domainUnverified",
  tracking_keys_full: "publicKeysFull",
  code_countries_missing: "codeCountriesMissing",
  country_unknown: "countryUnknown",
  opt_outs_unseen: "optOutsUnseen",
  opt_outs_unseen_day: "optOutsUnseenDay",
  message_unknown: "messageUnknown",
  phone_invalid: "phoneInvalid",
  phone_opted_out: "phoneOptedOut",
  quiet_never: "quietNever",
  recipients_undoing: "recipientsUndoing",
  sending_cancelled: "sendingCancelled",
  sending_changed: "sendingChanged",
  email_unconfirmed: "emailUnconfirmed",
  proof_needed: "proofNeeded",
  factor_off: "factorOff",
  feature_off: "featureOff",
  invitations_closed: "invitationsClosed",
  last_operator: "lastOperator",
  list_jobs_open: "listJobsOpen",
  person_confirmed: "personConfirmed",
  person_unconfirmed: "personUnconfirmed",
  had_trial: "hadTrial",
  not_offered: "notOffered",
  plan_limit: "planLimit",
  share_address_lost: "shareAddressLost",
  too_many_invitations: "invitationsTooMany",
  undo_over: "undoOver",
  workspace_banned: "workspaceBanned",
  webhook_chat: "webhookChat",
  webhook_clicks: "webhookClicks",
  webhook_inactive: "webhookInactive",
  webhook_signing: "webhookSigning",
  webhook_people: "webhookPeople",
  webhook_url: "webhookUrl",
  webhooks_full: "webhooksFull",
  view_name_taken: "viewNameTaken",
  views_full: "viewsFull",
};

/**
 * Refreshes the pages of a workspace, including prefetched ones. `refresh` of next/cache would keep the latter, and the
 * present page can be one of them.
 */
export function refreshPages(slug: string): void {
  revalidatePath(`/app/${slug}`, "layout");
}

/** Runs an action in a workspace. Client errors become messages; all others are thrown and logged. */
export async function runInWorkspace<Done>(
  slug: string,
  run: (scope: WorkspaceScope) => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  return await runAsUser(async (user) => {
    const scope = await openWorkspace(user.id, slug, user.sessionId);
    return scope ? await run(scope) : { ok: false, form: "gone" };
  });
}

/**
 * Runs an action of a user. After the session ended, the result says so instead of redirecting, so that no input is
 * lost: the page lets them sign in in place.
 */
export async function runAsUser<Done>(
  run: (user: SessionUser) => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  return await withMessages(async () => {
    const user = await getSessionUser();
    if (!user) return { ok: false, form: "signedOut" };
    return await withOrigin(await getRequestOrigin(), () => run(user));
  });
}

async function withMessages<Done>(run: () => Promise<FormAnswer<Done>>): Promise<FormAnswer<Done>> {
  try {
    return await unlessUnavailable(run);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, problem } = error;
    const message = problemMessages[problem?.code ?? ""] ?? messages[code];
    if (!message) throw error;
    return { ok: false, form: message, values: problem?.params ?? {} };
  }
}
