/** Answers queries: parse → conditions → period → counts → rows. */
import type { WorkspaceScope } from "#lib/tenancy/access";
import { plans } from "#lib/tenancy/plans";
import { type Counted, countClicks } from "./counts.ts";
import { resolveConditions } from "./filters.ts";
import { type AskedPeriods, bucketsOf, type Period, periodOf } from "./period.ts";
import { countersOf, isCounted, keyOfGrouping, presentRows } from "./rows.ts";
import type {
  AnalyticsQuery,
  ClickFilter,
  Grouping,
  LinkGrouping,
  OneAnswer,
  SeveralQuery,
  ValueGrouping,
} from "./schema.ts";
import type { Key, Question } from "./source.ts";

export interface Answered {
  answer: OneAnswer;
  /** The zone of rolled days that were read for a query in another zone. */
  usedZone: string | undefined;
}

/** The clicks that a filter selects, and the period of the query. */
export interface Meant {
  about: Omit<Question, "key">;
  period: AskedPeriods;
}

export async function meantBy(
  scope: WorkspaceScope,
  asked: ClickFilter,
  now = new Date(),
): Promise<Meant> {
  const { workspacePk, plan, zone } = scope;
  const bounds = { workspacePk, keptDays: plans[plan].clicksKeptDays };
  const [conditions, period] = await Promise.all([
    resolveConditions(scope, asked),
    periodOf(asked, bounds, now),
  ]);
  return { about: { ...conditions, workspacePk, ownZone: zone }, period };
}

export async function answerQuestion(
  scope: WorkspaceScope,
  asked: AnalyticsQuery,
  now = new Date(),
): Promise<Answered> {
  return await answerAbout(await meantBy(scope, asked, now), asked);
}

/** One answer per grouping, all for the same period. */
export async function answerSeveral(
  scope: WorkspaceScope,
  asked: SeveralQuery,
  now = new Date(),
): Promise<Map<Grouping, Answered>> {
  const meant = await meantBy(scope, asked, now);
  const answered = await Promise.all(
    asked.groupBy.map((groupBy) => answerAbout(meant, { ...asked, groupBy })),
  );
  return new Map(asked.groupBy.flatMap((name, at) => (answered[at] ? [[name, answered[at]]] : [])));
}

function answerAbout(meant: Meant, asked: AnalyticsQuery): Promise<Answered> {
  const { groupBy } = asked;
  if (groupBy === "count") return answerCount(meant, asked);
  if (groupBy === "timeseries") return answerSeries(meant, asked);
  if (groupBy === "hours") return answerHours(meant, asked);
  return answerValues(meant, asked, groupBy);
}

interface Found {
  rows: Counted[];
  usedZone: string | undefined;
}

async function count(
  { about }: Meant,
  key: Key,
  period: Period | undefined,
  asked: AnalyticsQuery,
  limit: number | null = null,
): Promise<Found> {
  if (!period || !isCounted(asked)) return { rows: [], usedZone: undefined };
  return await countClicks({ ...about, key }, period, { bots: asked.bots, limit });
}

function previousOf({ period }: Meant, asked: AnalyticsQuery): Period | undefined {
  return asked.compare === "previous" ? period.previous : undefined;
}

async function answerCount(meant: Meant, asked: AnalyticsQuery): Promise<Answered> {
  const previous = previousOf(meant, asked);
  const [now, before] = await Promise.all([
    count(meant, { by: "nothing" }, meant.period, asked),
    count(meant, { by: "nothing" }, previous, asked),
  ]);
  const answer = {
    ...countersOf(now.rows[0], asked),
    ...(previous ? { previous: countersOf(before.rows[0], asked) } : {}),
  };
  return { answer, usedZone: now.usedZone ?? before.usedZone };
}

async function answerSeries(meant: Meant, asked: AnalyticsQuery): Promise<Answered> {
  const { period } = meant;
  const { timezone: zone } = asked;
  const key = { by: "bucket", unit: period.unit, zone } as const;
  const previous = previousOf(meant, asked);
  const [starts, now, startsBefore, before] = await Promise.all([
    bucketsOf(period.unit, zone, period),
    count(meant, key, period, asked),
    previous ? bucketsOf(period.unit, zone, previous) : [],
    count(meant, key, previous, asked),
  ]);
  const [byStart, byStartBefore] = [now, before].map(
    ({ rows }) => new Map(rows.map((row) => [row.key, row])),
  );
  const answer = starts.map((start, at) => {
    const other = startsBefore[at];
    return {
      start: start.toISOString(),
      ...countersOf(byStart?.get(secondsOf(start)), asked),
      ...(previous
        ? { previous: countersOf(other && byStartBefore?.get(secondsOf(other)), asked) }
        : {}),
    };
  });
  return { answer, usedZone: now.usedZone ?? before.usedZone };
}

function secondsOf(start: Date): number {
  return start.getTime() / 1_000;
}

const hoursOfWeek = 7 * 24;

/** Every hour of a week in the zone, Monday (1) first. */
async function answerHours(meant: Meant, asked: AnalyticsQuery): Promise<Answered> {
  const key = { by: "hour", zone: asked.timezone } as const;
  const { rows, usedZone } = await count(meant, key, meant.period, asked);
  const byHour = new Map(rows.map((row) => [row.key, row]));
  const answer = Array.from({ length: hoursOfWeek }, (_, hour) => ({
    weekday: Math.floor(hour / 24) + 1,
    hour: hour % 24,
    ...countersOf(byHour.get(hour), asked),
  }));
  return { answer, usedZone };
}

async function answerValues(
  meant: Meant,
  asked: AnalyticsQuery,
  grouping: ValueGrouping | LinkGrouping,
): Promise<Answered> {
  const key = keyOfGrouping(grouping);
  const { rows, usedZone } = await count(meant, key, meant.period, asked, asked.limit);
  const answer = await presentRows(grouping, rows, meant.about.workspacePk, asked);
  return { answer, usedZone };
}
