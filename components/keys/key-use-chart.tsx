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
import { area, dashed, dotted, frame, tip, xAxis, yAxis } from "#components/ui/chart.ts";
import type { KeyUse } from "#lib/tenancy/key-use/schema";

type Day = KeyUse["days"][number];

export function KeyUseChart({ days }: { days: readonly Day[] }) {
  const format = useFormatter();
  const label = (day: string) =>
    format.dateTime(new Date(day), { month: "short", day: "numeric", timeZone: "UTC" });
  return (
    <div aria-hidden>
      <ResponsiveContainer width="100%" height={208}>
        <ComposedChart data={[...days]} {...frame}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="day" tickFormatter={label} {...xAxis} />
          <YAxis
            {...yAxis}
            tickFormatter={(value: number) => format.number(value, { notation: "compact" })}
          />
          <Tooltip
            {...tip}
            content={({ active, payload }) => {
              const day: Day | undefined = payload[0]?.payload;
              return active && day ? <DayTip day={day} label={label(day.day)} /> : null;
            }}
          />
          <Area {...area} dataKey="calls" />
          <Line {...dashed} dataKey="links" />
          <Line {...dotted} dataKey="refusals" />
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
