"use client";

import { useFormatter, useTranslations } from "next-intl";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import type { Interval, Point } from "#lib/analytics/schema";
import { bucketFormat } from "./series.ts";

export interface SeriesChartProps {
  points: readonly Point[];
  interval: Interval;
  zone: string;
}

const tick = { fill: "var(--ink-faint)", fontSize: 12 };

/** Clicks as an area, visitors as a line. Nothing moves, and every number stands in the table as well. */
export function SeriesChart({ points, interval, zone }: SeriesChartProps) {
  const format = useFormatter();
  const label = (start: string) => format.dateTime(new Date(start), bucketFormat(interval, zone));
  return (
    <ResponsiveContainer width="100%" height={260}>
      <ComposedChart
        data={[...points]}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="start"
          tickFormatter={label}
          tick={tick}
          tickLine={false}
          axisLine={false}
          minTickGap={32}
          tickMargin={8}
        />
        <YAxis
          allowDecimals={false}
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={40}
          tickFormatter={(value: number) => format.number(value, { notation: "compact" })}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--line-strong)" }}
          content={({ active, payload, label: start }) => {
            const point: Point | undefined = payload[0]?.payload;
            return active && point ? (
              <ChartTooltip heading={label(String(start))} point={point} />
            ) : null;
          }}
        />
        <Area
          dataKey="clicks"
          type="monotone"
          stroke="var(--accent)"
          strokeWidth={2}
          fill="var(--accent)"
          fillOpacity={0.1}
          isAnimationActive={false}
        />
        <Line
          dataKey="visitors"
          type="monotone"
          stroke="var(--ink-faint)"
          strokeWidth={1.5}
          strokeDasharray="4 3"
          dot={false}
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

function ChartTooltip({ heading, point }: { heading: string; point: Point }) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-2 text-sm shadow-floating">
      <p className="mb-1 font-medium">{heading}</p>
      {(["clicks", "visitors"] as const).map((name) => (
        <p key={name} className="flex justify-between gap-6 text-ink-muted">
          <span>{t(name)}</span>
          <span className="text-ink tabular-nums">{format.number(point[name])}</span>
        </p>
      ))}
    </div>
  );
}
