/**
 * Analytics queries. Counting happens in lib/analytics/ingest and lib/analytics/rollups, which fill these tables of the
 * schema `analytics`:
 *
 * - `click`: one row per click or bot, by day (UTC); kept FUXI_CLICKS_KEPT_DAYS. `bot` marks automated traffic and
 *   repeats, `bot_kind` the reason (lib/platform/request-info/bots.ts). Clicks are `NOT bot`. Every other table is
 *   derived from this one. Indexes: (link_pk, at), (workspace_pk, at).
 * - `link_slot`: totals of a link in a quarter hour, by month. Indexes: (link_pk, start), (workspace_pk, start).
 * - `value_slot`: clicks of every value of every dimension (lib/analytics/rollups/dimensions.ts) in a quarter hour, for
 *   a whole workspace (`link_pk = -1`) and each busy link (`busy_link`, from `slots_since` on); for other links query
 *   `click`. Index: (workspace_pk, link_pk, dimension, start). Nothing is cut off or merged into "other", and an
 *   unknown value is '', so the values of a dimension add up to its `total`.
 * - `link_day`, `value_day`: the same for days of the workspace's zone, by year, with the additional dimension `hour`.
 *   Links with a hundred clicks a day have values for days too (`busy_link`, from `since` on). Slots are kept for 93
 *   days, days forever. `rolled_day` has the start, end and zone of each: days are identified by the moment at which
 *   they start.
 * - `link_month`, `value_month`: sums of the days of a month, for the running one up to now (`rolled_month`), so that a
 *   year is twelve rows per value. Without hours, because a month does not have their weekdays.
 * - `link_stat` (in the schema public): all-time counters of a link.
 *
 * Visitors are sums of flags, so that buckets add up: first of the (UTC) day on the link, and first in the workspace.
 * Rows of a link count the former; rows of a workspace, and `workspace_visitors` of a link, the latter.
 *
 * `coverOf` decides which parts of a period are read from months, days, slots and raw clicks; a query adds up the four.
 * The top rows of very many values come from the leaders of each month and day (`leaders.ts`). Filters of one
 * dimension, or of links (domain, tag, folder: by joining `link`), are answered by rollups; filters across dimensions
 * read raw clicks by (workspace_pk, at).
 *
 * Partitions are shared by all workspaces and dropped whole. A plan with shorter retention (`clicksKeptDays`) only
 * limits how early queries start; nothing is deleted for it.
 */
import type { SentFile } from "#lib/platform/downloads";
import { readFromReplica, sendFromReplica } from "#lib/platform/replicas";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { type AnalyticsResult, answerQuery, answerSeveral, resolveQuery } from "./ask.ts";
import { findConversions, presentConversions } from "./conversion-events.ts";
import { eventsOf } from "./conversions.ts";
import { openEventsExport } from "./event-exports.ts";
import { findEvents, parsePosition, presentEvents } from "./events.ts";
import { openExport } from "./exports.ts";
import { type ClickMatcher, matcherOf } from "./matching.ts";
import type {
  AnalyticsQuery,
  ClickFilter,
  EventsQuery,
  ExportEventsQuery,
  ExportQuery,
  Grouping,
  PresentedClick,
  PresentedConversion,
  SeveralQuery,
} from "./schema.ts";

export { countDaily } from "./daily.ts";
export { presentClick } from "./events.ts";
export type { ClickMatcher } from "./matching.ts";

/** Clicks of the workspace, counted by the requested grouping. */
export function askAnalytics(
  scope: WorkspaceScope,
  request: AnalyticsQuery,
): Promise<AnalyticsResult> {
  assertMay(scope, "analytics.read");
  return readFromReplica(() => answerQuery(scope, request));
}

/** The same clicks in several groupings, in one query. */
export function askSeveral(
  scope: WorkspaceScope,
  request: SeveralQuery,
): Promise<Map<Grouping, AnalyticsResult>> {
  assertMay(scope, "analytics.read");
  return readFromReplica(() => answerSeveral(scope, request));
}

/** Recognizes clicks that fit the filters; undefined: all do. */
export async function openMatcher(
  scope: WorkspaceScope,
  request: ClickFilter,
): Promise<ClickMatcher | undefined> {
  assertMay(scope, "analytics.read");
  return await matcherOf(scope, request);
}

/** A page of clicks, leads or sales, newest first unless another order is requested. */
export async function listEvents(
  scope: WorkspaceScope,
  request: EventsQuery,
): Promise<(PresentedClick | PresentedConversion)[]> {
  assertMay(scope, "analytics.read");
  return await readFromReplica(() => findPage(scope, request));
}

async function findPage(
  scope: WorkspaceScope,
  request: EventsQuery,
): Promise<(PresentedClick | PresentedConversion)[]> {
  const { cursor, page, limit, sortOrder, order } = request;
  const after = cursor === undefined ? undefined : parsePosition(cursor);
  const resolved = await resolveQuery(scope, request);
  const ascending = (sortOrder ?? order) === "asc";
  const part = { ascending, after, skip: after ? 0 : (page - 1) * limit, limit };
  const asked = eventsOf(request);
  return asked
    ? await presentConversions(
        scope,
        await findConversions(resolved, { ...asked, customerId: request.customerId }, part),
      )
    : await presentEvents(scope, await findEvents(resolved, part));
}

/** A grouping as CSV, or all of them as a ZIP archive. */
export async function exportAnalytics(
  scope: WorkspaceScope,
  request: ExportQuery,
): Promise<SentFile> {
  assertMay(scope, "analytics.read");
  return sentFromReplica(await readFromReplica(() => openExport(scope, request)));
}

/** Every click of a period as a file. */
export async function exportEvents(
  scope: WorkspaceScope,
  request: ExportEventsQuery,
): Promise<SentFile> {
  assertMay(scope, "analytics.read");
  return sentFromReplica(await readFromReplica(() => openEventsExport(scope, request)));
}

/** The rows of a file are read while it is sent. */
function sentFromReplica(file: SentFile): SentFile {
  return { ...file, send: (write) => sendFromReplica(() => file.send(write)) };
}
