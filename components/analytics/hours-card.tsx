"use client";

import { useFormatter, useLocale, useTranslations } from "next-intl";
import { Skeleton } from "#components/ui/skeleton";
import { dayMs } from "#lib/basics/time/schema";
import { useBoard } from "./board-state.tsx";
import { Card, LoadError } from "./card.tsx";
import { type FoldState, useEmpty } from "./empty-cards.tsx";
import { type HourCount, readHours } from "./read-answer.ts";
import { useAnswer } from "./source.tsx";

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const weekdays = [1, 2, 3, 4, 5, 6, 7];
const monday = Date.UTC(2024, 0, 1);

export function HoursCard({ fold }: { fold: FoldState }) {
  const t = useTranslations("analytics");
  const { queryFor } = useBoard();
  const answer = useAnswer(queryFor("hours"));
  const found = readHours(answer.data);
  useEmpty(answer.state === "fresh" && found.every(({ clicks }) => clicks === 0), fold.onEmpty);
  if (fold.folded) return null;
  return (
    <Card
      id="hours"
      heading={t("cards.hours")}
      body={
        <div className="min-h-[236px] p-4" aria-busy={answer.state !== "fresh"}>
          {answer.state === "failed" ? (
            <LoadError retry={answer.retry} className="h-[204px]" />
          ) : answer.state === "loading" ? (
            <Skeleton className="h-[204px]" />
          ) : (
            <HeatMap found={found} />
          )}
        </div>
      }
    />
  );
}

function HeatMap({ found }: { found: readonly HourCount[] }) {
  const t = useTranslations("analytics");
  const locale = useLocale();
  const format = useFormatter();
  const clicks = new Map(found.map((one) => [one.weekday * 24 + one.hour, one.clicks]));
  const most = Math.max(1, ...clicks.values());
  const dayName = (weekday: number, style: "short" | "long") =>
    new Intl.DateTimeFormat(locale, { weekday: style, timeZone: "UTC" }).format(
      monday + (weekday - 1) * dayMs,
    );
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable from the keyboard
      tabIndex={0}
      aria-label={t("hoursCaption")}
      // Positioned, because text for screen readers would widen the page otherwise.
      className="relative overflow-x-auto"
    >
      <table className="w-full min-w-[560px] table-fixed border-separate border-spacing-0.5 text-xs">
        <caption className="sr-only">{t("hoursCaption")}</caption>
        <thead>
          <tr>
            <th className="w-12">
              <span className="sr-only">{t("weekday")}</span>
            </th>
            {hours.map((hour) => (
              <th key={hour} scope="col" className="font-normal text-ink-faint tabular-nums">
                <span className="sr-only">{t("hour", { hour })}</span>
                <span aria-hidden>{hour % 3 === 0 ? hour : ""}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((weekday) => (
            <tr key={weekday}>
              <th scope="row" className="text-left font-normal text-ink-muted">
                <span aria-hidden>{dayName(weekday, "short")}</span>
                <span className="sr-only">{dayName(weekday, "long")}</span>
              </th>
              {hours.map((hour) => {
                const count = clicks.get(weekday * 24 + hour) ?? 0;
                return (
                  <td
                    key={hour}
                    title={`${dayName(weekday, "long")} ${hour}:00 · ${t("clickCount", { count })}`}
                    className="h-6 rounded-[3px] bg-hover"
                    style={count > 0 ? { background: shade(count / most) } : undefined}
                  >
                    <span className="sr-only">{format.number(count)}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function shade(part: number): string {
  return `color-mix(in oklch, var(--accent) ${Math.round(12 + 88 * part)}%, var(--hover))`;
}
