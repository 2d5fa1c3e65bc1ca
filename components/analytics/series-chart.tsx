"use client";

import { useFormatter, useTranslations } from "next-intl";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
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
  runningDot,
  runningLabel,
  runningMark,
  tip,
  xAxis,
  yAxis,
} from "#components/ui/chart.ts";
import { bucketFormat, divideBuckets } from "./buckets.ts";
import type { SeriesPoint } from "./read-answer.ts";

export interface SeriesChartProps {
  points: readonly SeriesPoint[];
  zone: string;
  bots: boolean;
  before: string;
  onPoint?: (start: string) => void;
}

interface DrawnPoint extends SeriesPoint {
  /** For the lines, which end before the bucket that is not over yet. */
  finished: SeriesPoint | undefined;
  /** For the dots of the running bucket, which are not part of the lines. */
  running: SeriesPoint | undefined;
}

function drawnPoints(points: readonly SeriesPoint[]): DrawnPoint[] {
  const { finished, running } = divideBuckets(points);
  return points.map((point, at) => ({
    ...point,
    finished: at < finished.length ? point : undefined,
    running: point === running ? point : undefined,
  }));
}

/** Clicks as an area, the rest as lines. Not animated; the table has every number too. */
export function SeriesChart({ points, zone, bots, before, onPoint }: SeriesChartProps) {
  const format = useFormatter();
  const label = (start: string) => format.dateTime(new Date(start), bucketFormat(points, zone));
  const data = drawnPoints(points);
  const { finished, running } = divideBuckets(points);
  const t = useTranslations("analytics");
  // A single point draws no line, so it needs a dot.
  const dot = finished.length === 1;
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
          // Room for the label of the running period, above the highest point.
          padding={{ top: running ? 20 : 0 }}
          tickFormatter={(value: number) => format.number(value, { notation: "compact" })}
        />
        <Tooltip
          {...tip}
          content={({ active, payload, label: start }) => {
            const point: SeriesPoint | undefined = payload[0]?.payload;
            return active && point ? (
              <ChartTooltip
                isRunning={point.start === running?.start}
                heading={label(String(start))}
                point={point}
                bots={bots}
                before={before}
              />
            ) : null;
          }}
        />
        {running ? (
          <ReferenceLine
            x={running.start}
            {...runningMark}
            label={{
              ...runningLabel,
              // The first bucket has no room on its left.
              position: running === points[0] ? "insideTopLeft" : "insideTopRight",
              value: t("inProgress"),
            }}
          />
        ) : null}
        <Line {...compared} dataKey="finished.before.clicks" />
        <Area {...area} dataKey="finished.clicks" dot={dot} />
        <Line {...dashed} dataKey="finished.visitors" dot={dot} />
        {bots ? <Line {...dotted} dataKey="finished.bots" dot={dot} /> : null}
        <Line {...runningDot} dataKey="running.before.clicks" stroke="var(--line-strong)" />
        <Line {...runningDot} dataKey="running.visitors" stroke="var(--ink-faint)" />
        {bots ? <Line {...runningDot} dataKey="running.bots" stroke="var(--danger)" /> : null}
        <Line {...runningDot} dataKey="running.clicks" stroke="var(--accent)" />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

interface ChartTooltipProps {
  isRunning: boolean;
  heading: string;
  point: SeriesPoint;
  bots: boolean;
  before: string;
}

function ChartTooltip({ isRunning, heading, point, bots, before }: ChartTooltipProps) {
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
        {isRunning ? <span className="text-ink-muted"> · {t("inProgress")}</span> : null}
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
