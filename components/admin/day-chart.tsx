import { useFormatter, useTranslations } from "next-intl";
import type { UsageDay } from "#lib/office/usage/schema";

interface DayChartProps {
  /** The name of the numbers, which is also their message. */
  field: "links" | "clicks" | "workspaces" | "people";
  days: readonly UsageDay[];
}

const height = 100;
/** A day without anything is still visible as a line. */
const barMin = 0.75;

/** One bar per day. Without JavaScript; every number is in the table of the page as well. */
export function DayChart({ field, days }: DayChartProps) {
  const t = useTranslations("admin.usage");
  const format = useFormatter();
  const values = days.map((day) => day[field]);
  const most = Math.max(0, ...values);
  const total = format.number(values.reduce((sum, value) => sum + value, 0));
  const dateOf = (day: UsageDay | undefined) =>
    day ? format.dateTime(new Date(day.day), { dateStyle: "medium", timeZone: "UTC" }) : "";
  const [from, to] = [dateOf(days.at(0)), dateOf(days.at(-1))];
  const label = t("chart", { name: t(field), from, to, total, most: format.number(most) });
  return (
    <figure className="grid min-w-0 gap-2 rounded-xl border border-line bg-surface p-5">
      <figcaption className="flex items-baseline justify-between gap-3 text-sm">
        <span className="font-semibold">{t(field)}</span>
        <span className="font-semibold text-base tabular-nums">{total}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        className="h-32 w-full text-accent"
      >
        <title>{label}</title>
        {days.map((day, at) => {
          const size = Math.max(barMin, (day[field] / Math.max(1, most)) * (height - barMin));
          return (
            <rect
              key={day.day}
              x={at + 0.1}
              y={height - size}
              width={0.8}
              height={size}
              fill="currentColor"
            />
          );
        })}
      </svg>
      <p className="flex justify-between text-ink-muted text-xs">
        <span>{from}</span>
        <span>{to}</span>
      </p>
    </figure>
  );
}
