/**
 * Whether the destinations of visited links still work. A worker asks each page for its headers about once a day: see round.ts.
 * States are kept per workspace, so that nobody learns where the links of others lead.
 */
import { z } from "zod";
import type { Link } from "#lib/links/fields/schema";
import { type FoundLink, findRows, missingLink, resolveLinkUuid } from "#lib/links/presenting";
import { withoutHidden } from "#lib/links/visible-links";
import { AppError, type ProblemCode } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { query, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { checksDestinations, runChecks } from "./round.ts";
import { type BrokenState, brokenStates, type DestinationCheck, isBroken } from "./schema.ts";
import { askAgain, type CheckRow, findChecks, pageOf, putPages } from "./store.ts";
import { pageOfLink, pagesPerWorkspaceMax } from "./walk.ts";

export { checksDestinations, runChecks } from "./round.ts";

export async function getDestinationCheck(
  scope: WorkspaceScope,
  id: string,
): Promise<DestinationCheck> {
  assertMay(scope, "links.read");
  return await findCheck(await findLink(scope, id), scope);
}

/** Checks the destination within about a minute, also if nobody visited the link lately. */
export async function checkAgain(
  scope: WorkspaceScope,
  id: string,
  now = new Date(),
): Promise<DestinationCheck> {
  assertMay(scope, "links.write");
  const link = await findLink(scope, id);
  if (!checksDestinations())
    throw refused("destinations_unchecked", "This server checks no destinations.");
  const page = pageOfLink({ ...link, workspacePk: scope.workspacePk }, now);
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
  if (!isDue) {
    const message = `Up to ${pagesPerWorkspaceMax} destinations of a workspace are checked.`;
    throw refused("destination_pages_used_up", message, { max: pagesPerWorkspaceMax });
  }
  return await findCheck(link, scope);
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

async function findCheck({ url }: FoundLink, scope: WorkspaceScope): Promise<DestinationCheck> {
  const page = pageOf(url);
  const found = await findChecks(scope.workspacePk, [page]);
  return present(page, found.get(page));
}

function present(url: string, row: CheckRow | undefined): DestinationCheck {
  return {
    url,
    state: row?.state ?? "unchecked",
    status: row?.status ?? null,
    redirectsTo: row?.redirectsTo ?? null,
    checkedAt: row?.checkedAt?.toISOString() ?? null,
    failingSince: row?.failingSince?.toISOString() ?? null,
  };
}

/** How the destinations of these links are broken, by the ids of the links. */
export async function listBroken(
  scope: WorkspaceScope,
  links: readonly Pick<Link, "id" | "url">[],
): Promise<Map<string, BrokenState>> {
  assertMay(scope, "links.read");
  const found = await findChecks(
    scope.workspacePk,
    links.map(({ url }) => pageOf(url)),
  );
  return new Map(
    links.flatMap(({ id, url }): [string, BrokenState][] => {
      const state = found.get(pageOf(url))?.state;
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
