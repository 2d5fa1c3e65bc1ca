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
import type { KeyUse } from "#lib/tenancy/key-use/schema";

type Day = KeyUse["days"][number];

const axis = {
  tick: { fill: "var(--ink-faint)", fontSize: 12 },
  tickLine: false,
  axisLine: false,
} as const;
const line = { type: "monotone", dot: false, isAnimationActive: false } as const;

/** Calls as an area, refused ones as a line. Every number is in the table as well. */
export function KeyUseChart({ days }: { days: readonly Day[] }) {
  const format = useFormatter();
  const label = (day: string) =>
    format.dateTime(new Date(day), { month: "short", day: "numeric", timeZone: "UTC" });
  return (
    <div aria-hidden>
      <ResponsiveContainer width="100%" height={208}>
        <ComposedChart
          data={[...days]}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="day" tickFormatter={label} {...axis} minTickGap={32} tickMargin={8} />
          <YAxis
            allowDecimals={false}
            {...axis}
            width={40}
            tickFormatter={(value: number) => format.number(value, { notation: "compact" })}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--line-strong)" }}
            content={({ active, payload }) => {
              const day: Day | undefined = payload[0]?.payload;
              return active && day ? <DayTip day={day} label={label(day.day)} /> : null;
            }}
          />
          <Area
            {...line}
            dataKey="calls"
            stroke="var(--accent)"
            strokeWidth={2}
            fill="var(--accent)"
            fillOpacity={0.1}
          />
          <Line
            {...line}
            dataKey="links"
            stroke="var(--ink-faint)"
            strokeWidth={1.5}
            strokeDasharray="4 3"
          />
          <Line
            {...line}
            dataKey="refusals"
            stroke="var(--danger)"
            strokeWidth={1.5}
            strokeDasharray="1 3"
          />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}

function DayTip({ day, label }: { day: Day; label: string }) {
  const t = useTranslations("apiKeys");
  const format = useFormatter();
  return (
    <div className="grid gap-0.5 rounded-lg border border-line bg-raised px-3 py-2 text-xs shadow-floating">
      <p className="font-medium">{label}</p>
      {(["calls", "links", "refusals"] as const).map((name) => (
        <p key={name} className="flex justify-between gap-4 text-ink-muted">
          {t(name)} <span className="tabular-nums">{format.number(day[name])}</span>
        </p>
      ))}
    </div>
  );
}
