/**
 * Analytics queries. lib/analytics/ingest and lib/analytics/rollups fill these tables of the schema `analytics`:
 *
 * - `click`: one row per click or bot, by day (UTC). Clicks are `NOT bot`; `bot` marks automated traffic and repeats,
 *   `bot_kind` the reason (lib/platform/request-info/index.ts). After some days they move to `click_block`
 *   (lib/analytics/single-clicks), kept for FUXI_CLICKS_KEPT_DAYS. All other tables are derived from these two.
 * - `link_slot`: totals of a link in a quarter hour, by month. Indexes: (link_pk, start), (workspace_pk, start).
 * - `value_slot`: clicks of every value of every dimension (lib/analytics/rollups/dimensions.ts) in a quarter hour, for a
 *   workspace (`link_pk = -1`) and each busy link (`busy_link`, from `slots_since` on); for other links read `click`. Index:
 *   (workspace_pk, link_pk, dimension, start). An unknown value is '', and nothing is left out, so the values of a dimension
 *   add up to its `total`.
 * - `link_day`, `value_day`: the same for days of the workspace's zone, by year, with the dimension `hour`. Links with a
 *   hundred clicks a day have values for days too (`busy_link`, from `since` on). Slots are kept for 93 days, days forever.
 *   `rolled_day` has the start, end and zone of each day; its start identifies it.
 * - `link_month`, `value_month`: sums of the days of a month, the running one included (`rolled_month`), so that a year is
 *   twelve rows per value. They have no hours, because months do not keep weekdays.
 * - `link_stat` (in the schema public): all-time counters of a link.
 *
 * Visitors are sums of flags, so that buckets add up. Rows of a link count first visits of the (UTC) day to the link. Rows of
 * a workspace, and `workspace_visitors` of a link, count first visits of the day to the workspace.
 *
 * `coverOf` splits a period into months, days, slots and raw clicks, and a query adds these up. If there are very many values,
 * the top rows come from the leaders of each month and day (`leaders.ts`). Rollups answer filters of one dimension or of links;
 * filters across dimensions read raw clicks.
 *
 * Partitions are shared by all workspaces and dropped whole. A plan with shorter retention (`clicksKeptDays`) only limits
 * how early queries start.
 */

import type { ClickField } from "#lib/analytics/single-clicks";
import type { SentFile } from "#lib/platform/downloads";
import { query, SqlValues } from "#lib/platform/postgres";
import { readFromReplica, sendFromReplica } from "#lib/platform/replicas";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { type AnalyticsResult, answerQuery, answerSeveral, resolveQuery } from "./ask.ts";
import { allOf, linkFilter, rawCondition } from "./branches.ts";
import { clicksIn, columnsOf, withoutNamed } from "./clicks.ts";
import { findConversions, presentConversions } from "./conversion-events.ts";
import { eventsOf } from "./conversions.ts";
import { findEvents, parsePosition, presentEvents } from "./events.ts";
import { openEventsExport, openExport } from "./exports.ts";
import { resolveConditions } from "./filters.ts";
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

export function askAnalytics(
  scope: WorkspaceScope,
  request: AnalyticsQuery,
): Promise<AnalyticsResult> {
  assertMay(scope, "analytics.read");
  return readFromReplica(() => answerQuery(scope, request));
}

export function askSeveral(
  scope: WorkspaceScope,
  request: SeveralQuery,
): Promise<Map<Grouping, AnalyticsResult>> {
  assertMay(scope, "analytics.read");
  return readFromReplica(() => answerSeveral(scope, request));
}

/** Recognizes clicks that match the filters; undefined if all do. */
export async function openMatcher(
  scope: WorkspaceScope,
  request: ClickFilter,
): Promise<ClickMatcher | undefined> {
  assertMay(scope, "analytics.read");
  return await matcherOf(scope, request);
}

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

export async function exportAnalytics(
  scope: WorkspaceScope,
  request: ExportQuery,
): Promise<SentFile> {
  assertMay(scope, "analytics.read");
  return sentFromReplica(await readFromReplica(() => openExport(scope, request)));
}

export async function exportEvents(
  scope: WorkspaceScope,
  request: ExportEventsQuery,
): Promise<SentFile> {
  assertMay(scope, "analytics.read");
  return sentFromReplica(await readFromReplica(() => openEventsExport(scope, request)));
}

/** The rows are read while the file is sent. */
function sentFromReplica(file: SentFile): SentFile {
  return { ...file, send: (write) => sendFromReplica(() => file.send(write)) };
}

export interface MatchedClick {
  id: string;
  at: Date;
}

export type ClickMatcher = (clicks: readonly MatchedClick[]) => Promise<ReadonlySet<string>>;

function hasFilters({ event, interval, start, end, timezone, ...filters }: ClickFilter): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** Undefined if every click matches. Throws for filters that name missing objects. */
async function matcherOf(
  scope: WorkspaceScope,
  request: ClickFilter,
): Promise<ClickMatcher | undefined> {
  if (!hasFilters(request)) return undefined;
  const { workspacePk } = scope;
  const { values, links } = await resolveConditions(scope, request);
  return async (clicks) => {
    const times = clicks.map(({ at }) => at.getTime());
    if (times.length === 0) return new Set();
    const parameters = new SqlValues();
    const ids = parameters.place(
      clicks.map(({ id }) => id),
      "uuid[]",
    );
    const { joins, conditions } = linkFilter(links, "click.link_pk", workspacePk, parameters);
    const period = { from: Math.min(...times), until: Math.max(...times) + 1 };
    const others = withoutNamed(values);
    const needed = others.flatMap(({ dimension }) => columnsOf(dimension));
    const fields: ClickField[] = [...new Set<ClickField>(["id", "link_pk", ...needed])];
    const text = `
      SELECT click.id
      FROM ${clicksIn([period], fields, { workspacePk, values, links }, parameters)}
      ${joins}
      WHERE click.id = ANY(${ids})
        ${allOf([
          ...others.map((condition) => rawCondition(condition, parameters)),
          ...conditions,
        ])}`;
    const rows = await query<{ id: string }>({ text, values: parameters.list });
    return new Set(rows.map(({ id }) => id));
  };
}
