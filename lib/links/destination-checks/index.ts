/**
 * Whether the destinations of visited links still work. A worker asks each page for its headers about once a day: see round.ts.
 * States are kept per workspace, so that nobody learns where the links of others lead.
 */
import { z } from "zod";
import { parseId } from "#lib/basics/ids";
import type { Link } from "#lib/links/fields/schema";
import { type FoundLink, findRows, missingLink, resolveLinkUuid } from "#lib/links/presenting";
import { findCampaignPk, withoutHidden } from "#lib/links/visible-links";
import { AppError, type ProblemCode } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { query, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import {
  findCampaignPks,
  findCheckedCampaigns,
  findOpenedLink,
  subjectOfCampaign,
} from "./campaigns.ts";
import { checksDestinations, runChecks } from "./round.ts";
import {
  type BrokenState,
  brokenStates,
  type DestinationCheck,
  isBroken,
  neverChecked,
} from "./schema.ts";
import {
  askAgain,
  type CheckRow,
  findChecks,
  pageOf,
  putPages,
  type VisitedPage,
} from "./store.ts";
import { pageOfLink, pagesPerWorkspaceMax } from "./walk.ts";

export { checksDestinations, runChecks } from "./round.ts";

export async function getDestinationCheck(
  scope: WorkspaceScope,
  id: string,
): Promise<DestinationCheck> {
  assertMay(scope, "links.read");
  const link = await findLink(scope, id);
  const url = pageOf(link.url);
  const campaignPk = await campaignOf(link, scope);
  return await findCheck(scope, campaignPk === null ? url : subjectOfCampaign(campaignPk), url);
}

async function campaignOf(
  { id, external_id: externalId }: FoundLink,
  { workspacePk }: WorkspaceScope,
): Promise<number | null> {
  return (await findCampaignPks([{ id, workspacePk, externalId }])).get(id) ?? null;
}

/** Undefined: the campaign is not checked, or nobody has opened one of its links. */
export async function getCampaignCheck(
  scope: WorkspaceScope,
  id: string,
): Promise<DestinationCheck | undefined> {
  assertMay(scope, "campaigns.read");
  const pk = await findCampaignPk(scope, id);
  const [campaign] = await findCheckedCampaigns(pk === undefined ? [] : [pk]);
  if (!campaign) return undefined;
  const subject = subjectOfCampaign(campaign.pk);
  const row = (await findChecks(scope.workspacePk, [subject])).get(subject);
  return row && present(row.url, row);
}

/** Checks the destination within about a minute, also if nobody visited the link lately. */
export async function checkAgain(
  scope: WorkspaceScope,
  id: string,
  now = new Date(),
): Promise<DestinationCheck> {
  assertMay(scope, "links.write");
  const link = await findLink(scope, id);
  assertChecks();
  const { workspacePk } = scope;
  const campaignPk = await campaignOf(link, scope);
  return await ask(scope, pageOfLink({ ...link, workspacePk }, now, campaignPk));
}

/** Checks the page of the campaign, or takes the link that was opened last as its page. */
export async function checkCampaignAgain(
  scope: WorkspaceScope,
  id: string,
  now = new Date(),
): Promise<DestinationCheck> {
  assertMay(scope, "campaigns.write");
  const pk = await findCampaignPk(scope, id);
  if (pk === undefined)
    throw new AppError("not_found", `Campaign "${id}" not found in this workspace.`);
  assertChecks();
  const [campaign] = await findCheckedCampaigns([pk]);
  const link = campaign && (await findOpenedLink(pk));
  if (!link) {
    const message = "Its destination is checked once a recipient has opened a link.";
    throw refused("destination_not_opened", message);
  }
  return await ask(scope, pageOfLink(link, now, pk));
}

function assertChecks(): void {
  if (!checksDestinations())
    throw refused("destinations_unchecked", "This server checks no destinations.");
}

async function ask(
  scope: WorkspaceScope,
  page: VisitedPage | undefined,
): Promise<DestinationCheck> {
  if (!page)
    throw refused("destination_no_page", "Only web pages can be checked, and this link has none.");
  const attempt = await tryLimit("destinationCheckPerWorkspace", scope.workspaceId);
  if (!attempt.ok) {
    const message = "Too many checks of destinations. Try again later.";
    const { retryAfterSeconds } = attempt;
    throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds });
  }
  const isDue = await transaction(async (tx) => {
    await putPages(tx, [page], pagesPerWorkspaceMax);
    return await askAgain(tx, page);
  });
  if (isDue) return await findCheck(scope, page.subject, page.url);
  const message = `Up to ${pagesPerWorkspaceMax} destinations of a workspace are checked.`;
  throw refused("destination_pages_used_up", message, { max: pagesPerWorkspaceMax });
}

function refused(problem: ProblemCode, message: string, params = {}): AppError {
  return new AppError("unprocessable_entity", message, { problem, params });
}

async function findLink(scope: WorkspaceScope, id: string): Promise<FoundLink> {
  const rows = await findRows(scope.workspacePk, [await resolveLinkUuid(scope, id)]);
  // defence: destination-check-of-visible-link
  const [row] = await withoutHidden(scope, rows);
  if (!row) throw missingLink(id);
  return row;
}

async function findCheck(
  { workspacePk }: WorkspaceScope,
  subject: string,
  url: string,
): Promise<DestinationCheck> {
  const row = (await findChecks(workspacePk, [subject])).get(subject);
  return present(row?.url ?? url, row);
}

function present(url: string, row: CheckRow | undefined): DestinationCheck {
  if (!row) return { url, ...neverChecked };
  const { state, status, redirectsTo, checkedAt, failingSince } = row;
  return {
    ...{ url, state, status, redirectsTo },
    checkedAt: checkedAt?.toISOString() ?? null,
    failingSince: failingSince?.toISOString() ?? null,
  };
}

/** How the destinations of these links are broken, by the ids of the links. */
export async function listBroken(
  scope: WorkspaceScope,
  links: readonly Pick<Link, "id" | "url" | "externalId">[],
): Promise<Map<string, BrokenState>> {
  assertMay(scope, "links.read");
  const { workspacePk } = scope;
  const uuids = links.map(({ id, externalId }) => {
    return { id: parseId("link", id) ?? "", workspacePk, externalId };
  });
  const campaigns = await findCampaignPks(uuids);
  const subjects = links.map(({ url }, at) => {
    const campaignPk = campaigns.get(uuids[at]?.id ?? "");
    return campaignPk === undefined ? pageOf(url) : subjectOfCampaign(campaignPk);
  });
  const found = await findChecks(workspacePk, subjects);
  return new Map(
    links.flatMap(({ id }, at): [string, BrokenState][] => {
      const state = found.get(subjects[at] ?? "")?.state;
      return state && isBroken(state) ? [[id, state]] : [];
    }),
  );
}

export async function hasBroken(workspacePk: number): Promise<boolean> {
  // Answered by destination_check_broken.
  return await query.any(sql`
    SELECT
    FROM destination_check
    WHERE workspace_pk = ${workspacePk}
      AND state = ANY(${brokenStates}::text[])
    LIMIT 1`);
}

export const destinationCheckJob = defineJob({
  name: "destinations.check",
  schema: z.object({}),
  handle: () => runChecks(),
  everyMs: 10_000,
});
