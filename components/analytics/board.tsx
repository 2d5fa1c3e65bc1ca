"use client";

import { CalendarRange, ChevronDown, Download, SlidersHorizontal } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { ExportMenu } from "#components/ui/export-menu";
import { SelectField } from "#components/ui/labeled";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import { RangeCalendar } from "#components/ui/range-calendar";
import { Switch } from "#components/ui/switch";
import { dayMs } from "#lib/basics/time/schema";
import { AnnotationsProvider, type BoardAnnotations } from "./annotations.tsx";
import { type BoardPeriod, comparisons, type FilterName, intervalsWithin } from "./board-query.ts";
import { BoardStateProvider, useBoard } from "./board-state.tsx";
import { ConversionsCard } from "./conversions-card.tsx";
import { EmptyCards } from "./empty-cards.tsx";
import { Filters } from "./filters.tsx";
import { type BoardPart, boardParts, filterChoices, valueCards } from "./groupings.ts";
import { HoursCard } from "./hours-card.tsx";
import { LiveCard } from "./live-card.tsx";
import { SeriesCard } from "./series-card.tsx";
import {
  type AnalyticsSource,
  clicksUrl,
  exportUrl,
  SourceProvider,
  useSource,
} from "./source.tsx";
import { Totals } from "./totals.tsx";
import { ValueCard } from "./value-card.tsx";

export interface BoardProps {
  source: AnalyticsSource;
  about?: Readonly<Partial<Record<FilterName, string>>>;
  parts?: readonly BoardPart[];
  without?: readonly string[];
  /** Limit of the period in days; null: unlimited. */
  daysMax?: number | null;
  annotations?: BoardAnnotations;
  heading: ReactNode;
  children?: ReactNode;
}

const nothing: NonNullable<BoardProps["about"]> = {};
const noAnnotations: BoardAnnotations = { list: [], actions: null };

export function Board(props: BoardProps) {
  const { source, about = nothing, heading, children, daysMax = null, ...others } = props;
  const { annotations = noAnnotations, ...shown } = others;
  return (
    <SourceProvider value={source}>
      <BoardStateProvider about={about} daysMax={daysMax}>
        <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
          {heading}
          <div className="flex flex-wrap items-center gap-2">
            <PeriodPicker />
            <BoardMenu />
            {children}
          </div>
        </div>
        <AnnotationsProvider value={annotations}>
          <BoardBody workspace={source.workspace} linkId={about.linkId} {...shown} />
        </AnnotationsProvider>
      </BoardStateProvider>
    </SourceProvider>
  );
}

interface BoardBodyProps extends Pick<BoardProps, "parts" | "without"> {
  workspace: string | undefined;
  linkId: string | undefined;
}

function BoardBody({ parts = boardParts, without = [], workspace, linkId }: BoardBodyProps) {
  const { query } = useBoard();
  const has = (part: BoardPart) => parts.includes(part);
  return (
    <div className="grid gap-4">
      <Filters choices={filterChoices(parts, without)} />
      {has("figures") ? <Totals /> : null}
      {has("series") ? <SeriesCard /> : null}
      <EmptyCards>
        {(foldOf) => (
          <>
            {has("conversions") ? (
              <ConversionsCard isOwn={workspace !== undefined} fold={foldOf("conversions")} />
            ) : null}
            <div className="grid gap-4 empty:hidden lg:grid-cols-2">
              {valueCards.map((card) =>
                has(card) ? (
                  <ValueCard key={card} card={card} without={without} fold={foldOf(card)} />
                ) : null,
              )}
            </div>
            {has("hours") ? <HoursCard fold={foldOf("hours")} /> : null}
          </>
        )}
      </EmptyCards>
      {workspace ? <LiveCard workspace={workspace} linkId={linkId} bots={query.bots} /> : null}
    </div>
  );
}

function BoardMenu() {
  const t = useTranslations("analytics");
  const { query, daysMax, change, queryFor } = useBoard();
  const source = useSource();
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button aria-label={t("options")}>
          <SlidersHorizontal aria-hidden />
          <span className="hidden sm:inline">{t("options")}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={t("options")} className="grid gap-4">
        {daysMax === null ? (
          <SelectField
            label={t("compare")}
            value={query.compare}
            onValueChange={(value) =>
              change({ compare: comparisons.find((one) => one === value) ?? "previous" })
            }
            options={comparisons.map((one) => ({ value: one, label: t(`comparisons.${one}`) }))}
          />
        ) : null}
        <Switch
          label={t("showBots")}
          hint={t("showBotsHint")}
          checked={query.bots}
          onCheckedChange={(bots) => change({ bots })}
        />
        {source.withoutFiles ? null : source.workspace === undefined ? (
          <Button asChild>
            <a download href={exportUrl(source, queryFor("all", { bots: "true" }))}>
              <Download aria-hidden />
              {t("saveAll")}
            </a>
          </Button>
        ) : (
          <>
            <ExportMenu
              label={t("saveAll")}
              formats={["csv", "xlsx"]}
              hrefOf={(format) => exportUrl(source, queryFor("all", { bots: "true", format }))}
            />
            <ExportMenu
              label={t("saveClicks")}
              formats={["csv", "xlsx"]}
              hrefOf={(format) => clicksUrl(source, queryFor("all", { bots: "true" }), format)}
            />
          </>
        )}
      </PopoverContent>
    </Popover>
  );
}

function PeriodPicker() {
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
