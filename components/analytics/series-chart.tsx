"use client";

import { useFormatter, useTranslations } from "next-intl";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import {
  area,
  compared,
  dashed,
  dotted,
  frame,
  running,
  tip,
  xAxis,
  yAxis,
} from "#components/ui/chart.ts";
import { bucketFormat } from "./buckets.ts";
import type { SeriesPoint } from "./read-answer.ts";

export interface SeriesChartProps {
  points: readonly SeriesPoint[];
  zone: string;
  bots: boolean;
  before: string;
  onPoint?: (start: string) => void;
}

interface DrawnPoint extends SeriesPoint {
  /** Clicks of the solid line; it ends before buckets that are not over yet. */
  sure: number | undefined;
  /** Clicks of the dashed line, which starts at the last bucket that is over. */
  running: number | undefined;
}

function drawnPoints(points: readonly SeriesPoint[]): DrawnPoint[] {
  return points.map((point, at) => ({
    ...point,
    sure: point.partial ? undefined : point.clicks,
    running: point.partial || points[at + 1]?.partial ? point.clicks : undefined,
  }));
}

function runningSpan(points: readonly DrawnPoint[]): { x1: string; x2: string } | undefined {
  const starts = points.filter(({ running }) => running !== undefined).map(({ start }) => start);
  const [x1, x2] = [starts.at(0), starts.at(-1)];
  return x1 && x2 && x1 !== x2 ? { x1, x2 } : undefined;
}

/** Clicks as an area, the rest as lines. Without animation, and with every number in the table as well. */
export function SeriesChart({ points, zone, bots, before, onPoint }: SeriesChartProps) {
  const format = useFormatter();
  const label = (start: string) => format.dateTime(new Date(start), bucketFormat(points, zone));
  const data = drawnPoints(points);
  const span = runningSpan(data);
  return (
    <ResponsiveContainer width="100%" height={256}>
      <ComposedChart
        data={data}
        {...frame}
        onClick={({ activeLabel }) =>
          activeLabel === undefined ? undefined : onPoint?.(String(activeLabel))
        }
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="start" tickFormatter={label} {...xAxis} />
        <YAxis
          {...yAxis}
          tickFormatter={(value: number) => format.number(value, { notation: "compact" })}
        />
        <Tooltip
          {...tip}
          content={({ active, payload, label: start }) => {
            const point: SeriesPoint | undefined = payload[0]?.payload;
            return active && point ? (
              <ChartTooltip
                heading={label(String(start))}
                point={point}
                bots={bots}
                before={before}
              />
            ) : null;
          }}
        />
        {span ? <ReferenceArea {...span} fill="var(--hover)" /> : null}
        <Line {...compared} dataKey="before.clicks" />
        <Area {...area} dataKey="sure" />
        <Line {...running} dataKey="running" dot={points.length === 1} />
        <Line {...dashed} dataKey="visitors" />
        {bots ? <Line {...dotted} dataKey="bots" /> : null}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

interface ChartTooltipProps {
  heading: string;
  point: SeriesPoint;
  bots: boolean;
  before: string;
}

function ChartTooltip({ heading, point, bots, before }: ChartTooltipProps) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  const lines: [string, number][] = [
    [t("clicks"), point.clicks],
    ...(point.before ? [[before, point.before.clicks] satisfies [string, number]] : []),
    [t("visitors"), point.visitors],
    ...(bots ? [[t("bots"), point.bots] satisfies [string, number]] : []),
  ];
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-2 text-sm shadow-floating">
      <p className="mb-1 font-medium">
        {heading}
        {point.partial ? <span className="text-ink-muted"> · {t("inProgress")}</span> : null}
      </p>
      {lines.map(([name, count]) => (
        <p key={name} className="flex justify-between gap-6 text-ink-muted">
          <span>{name}</span>
          <span className="text-ink tabular-nums">{format.number(count)}</span>
        </p>
      ))}
    </div>
  );
}
