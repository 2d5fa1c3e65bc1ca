"use client";

import { CalendarRange, ChevronDown } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import { RangeCalendar } from "#components/ui/range-calendar";
import { dayMs } from "#lib/basics/time/schema";
import { type BoardPeriod, intervalsWithin } from "./board-query.ts";
import { useBoard } from "./board-state.tsx";

/** The period: a named one, or two days of the calendar. */
export function PeriodPicker() {
  const t = useTranslations("analytics");
  const { query, zone, daysMax, change } = useBoard();
  const [open, setOpen] = useState(false);
  const names = usePeriodNames();
  const { period } = query;
  const named = "interval" in period ? period.interval : undefined;

  function choose(next: BoardPeriod) {
    setOpen(false);
    change({ period: next });
  }

  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button aria-label={t("periodOf", { period: names(period) })}>
          <CalendarRange aria-hidden />
          {names(period)}
          <ChevronDown aria-hidden className="!size-3.5 text-ink-faint" />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        aria-label={t("period")}
        align="end"
        className="max-h-(--radix-popover-content-available-height) w-auto max-w-[calc(100vw-24px)] overflow-y-auto p-0"
      >
        <div className="flex flex-col sm:flex-row">
          <ul className="grid grid-cols-2 content-start gap-0.5 border-line border-b p-2 sm:w-40 sm:grid-cols-1 sm:border-r sm:border-b-0">
            {intervalsWithin(daysMax).map((interval) => (
              <li key={interval}>
                <button
                  type="button"
                  aria-pressed={interval === named}
                  onClick={() => choose({ interval })}
                  className={classNames(
                    "flex h-8 w-full items-center rounded-md px-2 text-left text-sm hover:bg-hover pointer-coarse:h-10",
                    interval === named && "bg-pressed font-medium",
                  )}
                >
                  {t(`intervals.${interval}`)}
                </button>
              </li>
            ))}
          </ul>
          <div className="p-3 sm:w-72">
            <RangeCalendar
              value={"start" in period ? period : undefined}
              min={daysMax === null ? undefined : dayOf(zone, Date.now() - daysMax * dayMs)}
              max={dayOf(zone, Date.now())}
              onChange={choose}
            />
          </div>
        </div>
      </PopoverContent>
    </Popover>
  );
}

function dayOf(timeZone: string, time: number): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(time);
}

function usePeriodNames(): (period: BoardPeriod) => string {
  const t = useTranslations("analytics");
  const format = useFormatter();
  return (period) => {
    if ("interval" in period) return t(`intervals.${period.interval}`);
    const noon = (day: string) => new Date(`${day}T12:00:00Z`);
    return format.dateTimeRange(noon(period.start), noon(period.end), {
      dateStyle: "medium",
      timeZone: "UTC",
    });
  };
}
