/** Answers queries: conditions and period, then counts, then rows. */
import { config } from "#lib/platform/config";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { limitOf } from "#lib/tenancy/plans";
import { convertedOf } from "./conversions.ts";
import { type CountedRow, countClicks } from "./counts.ts";
import { resolveConditions } from "./filters.ts";
import { assertUnit, bucketsOf, type Period, periodOf, type ResolvedPeriod } from "./period.ts";
import { countersOf, keyOfGrouping, presentRows } from "./rows.ts";
import type {
  AnalyticsAnswer,
  AnalyticsQuery,
  ClickFilter,
  Grouping,
  RowGrouping,
  SeveralQuery,
} from "./schema.ts";
import type { ClickSelection, GroupKey } from "./source.ts";
import type { StatementOptions } from "./statement.ts";

export interface AnalyticsResult {
  answer: AnalyticsAnswer;
  /** The time zone of the rolled days that were read, if the query asked for another one. */
  usedZone: string | undefined;
}

export interface ResolvedQuery {
  selection: Omit<ClickSelection, "key">;
  period: ResolvedPeriod;
  now: Date;
}

export async function resolveQuery(
  scope: WorkspaceScope,
  request: ClickFilter,
  now = new Date(),
): Promise<ResolvedQuery> {
  const { workspacePk, zone } = scope;
  const bounds = { workspacePk, keptDays: limitOf(scope, "clicksKeptDays") };
  const [conditions, period] = await Promise.all([
    resolveConditions(scope, request),
    periodOf(request, bounds, now),
  ]);
  return { selection: { ...conditions, workspacePk, ownZone: zone }, period, now };
}

export async function answerQuery(
  scope: WorkspaceScope,
  request: AnalyticsQuery,
  now = new Date(),
): Promise<AnalyticsResult> {
  return await answerSelection(await resolveQuery(scope, request, now), request);
}

export async function answerSeveral(
  scope: WorkspaceScope,
  request: SeveralQuery,
  now = new Date(),
): Promise<Map<Grouping, AnalyticsResult>> {
  const resolved = await resolveQuery(scope, request, now);
  const answered = await Promise.all(
    request.groupBy.map((groupBy) => answerSelection(resolved, { ...request, groupBy })),
  );
  return new Map(
    request.groupBy.flatMap((name, at) => (answered[at] ? [[name, answered[at]]] : [])),
  );
}

function answerSelection(
  resolved: ResolvedQuery,
  request: AnalyticsQuery,
): Promise<AnalyticsResult> {
  const { groupBy } = request;
  if (groupBy === "count") return answerCount(resolved, request);
  if (groupBy === "timeseries") return answerSeries(resolved, request);
  if (groupBy === "hours") return answerHours(resolved, request);
  return answerValues(resolved, request, groupBy);
}

interface CountResult {
  rows: CountedRow[];
  usedZone: string | undefined;
}

async function count(
  { selection }: ResolvedQuery,
  key: GroupKey,
  period: Period | undefined,
  request: AnalyticsQuery,
  shape: Pick<StatementOptions, "limit" | "search"> = { limit: null },
): Promise<CountResult> {
  if (!period) return { rows: [], usedZone: undefined };
  const converted = convertedOf(request, period);
  return await countClicks({ ...selection, key }, period, {
    ...shape,
    bots: request.bots,
    converted,
  });
}

function previousOf({ period }: ResolvedQuery, request: AnalyticsQuery): Period | undefined {
  if (request.compare === "year") return period.yearBefore;
  return request.compare === "previous" ? period.previous : undefined;
}

async function answerCount(
  resolved: ResolvedQuery,
  request: AnalyticsQuery,
): Promise<AnalyticsResult> {
  const previous = previousOf(resolved, request);
  const hasAmounts = request.event === "sales" || request.event === "composite";
  const [now, before] = await Promise.all([
    count(resolved, { by: "nothing" }, resolved.period, request),
    count(resolved, { by: "nothing" }, previous, request),
  ]);
  const answer = {
    ...countersOf(now.rows[0], request),
    ...(previous ? { previous: countersOf(before.rows[0], request) } : {}),
    ...(hasAmounts ? { currency: config().FUXI_CURRENCY } : {}),
  };
  return { answer, usedZone: now.usedZone ?? before.usedZone };
}

async function answerSeries(
  resolved: ResolvedQuery,
  request: AnalyticsQuery,
): Promise<AnalyticsResult> {
  const { period, now: moment } = resolved;
  const { timezone: zone } = request;
  const { granularity: unit = period.unit } = request;
  // defence: chart-buckets
  if (request.granularity) assertUnit(unit, period, moment);
  const key = { by: "bucket", unit, zone } as const;
  const previous = previousOf(resolved, request);
  const [buckets, now, bucketsBefore, before] = await Promise.all([
    bucketsOf(unit, zone, period),
    count(resolved, key, period, request),
    previous ? bucketsOf(unit, zone, previous) : [],
    count(resolved, key, previous, request),
  ]);
  const [byStart, byStartBefore] = [now, before].map(
    ({ rows }) => new Map(rows.map((row) => [row.key, row])),
  );
  const answer = buckets.map(({ start, until }, at) => {
    const other = bucketsBefore[at]?.start;
    return {
      start: start.toISOString(),
      partial: until > moment,
      ...countersOf(byStart?.get(secondsOf(start)), request),
      ...(previous
        ? { previous: countersOf(other && byStartBefore?.get(secondsOf(other)), request) }
        : {}),
    };
  });
  return { answer, usedZone: now.usedZone ?? before.usedZone };
}

function secondsOf(start: Date): number {
  return start.getTime() / 1_000;
}

const hoursOfWeek = 7 * 24;

/** Every hour of a week in the zone, starting with Monday (1). */
async function answerHours(
  resolved: ResolvedQuery,
  request: AnalyticsQuery,
): Promise<AnalyticsResult> {
  const key = { by: "hour", zone: request.timezone } as const;
  const { rows, usedZone } = await count(resolved, key, resolved.period, request);
  const byHour = new Map(rows.map((row) => [row.key, row]));
  const answer = Array.from({ length: hoursOfWeek }, (_, hour) => ({
    weekday: Math.floor(hour / 24) + 1,
    hour: hour % 24,
    ...countersOf(byHour.get(hour), request),
  }));
  return { answer, usedZone };
}

async function answerValues(
  resolved: ResolvedQuery,
  request: AnalyticsQuery,
  grouping: RowGrouping,
): Promise<AnalyticsResult> {
  if (grouping === "event_names" && request.event === "clicks") {
    return { answer: [], usedZone: undefined };
  }
  const key = keyOfGrouping(grouping);
  const { limit, search } = request;
  const { rows, usedZone } = await count(resolved, key, resolved.period, request, {
    limit,
    search,
  });
  const answer = await presentRows(grouping, rows, resolved.selection.workspacePk, request);
  return { answer, usedZone };
}
