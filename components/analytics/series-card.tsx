"use client";

import { ChartNoAxesCombined, ChevronDown, MousePointerClick, TableProperties } from "lucide-react";
import dynamic from "next/dynamic";
import { useFormatter, useNow, useTranslations } from "next-intl";
import { lazy, Suspense, useState } from "react";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import { Select } from "#components/ui/select";
import { Skeleton } from "#components/ui/skeleton";
import { Table, TableCell, TableRow, tableHeadClass } from "#components/ui/table";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { Granularity } from "#lib/analytics/reports/schema";
import {
  AnnotationButton,
  type AnnotationEditor,
  AnnotationMarks,
  useAnnotationEditor,
} from "./annotations.tsx";
import { granularitiesFor, granularityOf } from "./board-query.ts";
import { useBoard } from "./board-state.tsx";
import { bucketFormat, divideBuckets } from "./buckets.ts";
import { Card, LoadError } from "./card.tsx";
import { seriesMore } from "./first-queries.ts";
import { readPoints, type SeriesPoint } from "./read-answer.ts";
import type { SeriesChartProps } from "./series-chart.tsx";
import { SeriesSketch } from "./series-sketch.tsx";
import { SortHead } from "./sort-head.tsx";
import { useSorted } from "./sorting.ts";
import { useAnswer, useSource } from "./source.tsx";

// The chart is the heaviest part of the dashboard. Until it is loaded, and without scripts, a sketch shows only its lines.
const SeriesChart = lazy(async () => ({
  default: (await import("./series-chart.tsx")).SeriesChart,
}));

const height = "h-[284px]";

export function SeriesCard() {
  const t = useTranslations("analytics");
  const { query, zone, queryFor, tabOf, openTab } = useBoard();
  const unit = useGranularity();
  const answer = useAnswer(queryFor("timeseries", seriesMore(unit.chosen)));
  const view = tabOf("view") === "table" ? "table" : "chart";
  const before = t(query.compare === "year" ? "clicksYearBefore" : "clicksBefore");
  const editor = useAnnotationEditor();
  const series = { points: readPoints(answer.data), zone, bots: query.bots, before };
  return (
    <Tabs value={view} onValueChange={(next) => openTab("view", next)}>
      <Card
        id="series"
        heading={t("chartHeading")}
        body={
          <div
            aria-busy={answer.state !== "fresh"}
            className={classNames(
              "p-4 transition-opacity",
              answer.state === "stale" && "opacity-60",
            )}
          >
            <TabsContent value={view} tabIndex={-1}>
              {answer.state === "loading" ? (
                <Skeleton className={height} />
              ) : answer.state === "failed" ? (
                <LoadError retry={answer.retry} className={height} />
              ) : view === "chart" ? (
                <ChartPanel {...series} openAnnotation={editor.open} />
              ) : (
                <SeriesTable {...series} />
              )}
            </TabsContent>
            <div className="mt-2 flex flex-wrap items-center justify-between gap-1">
              <ZonePicker />
              <AnnotationButton {...editor} />
            </div>
          </div>
        }
      >
        <GranularitySelect {...unit} />
        <TabsList aria-label={t("view")}>
          <TabsTrigger value="chart">
            <ChartNoAxesCombined aria-hidden />
            {t("chart")}
          </TabsTrigger>
          <TabsTrigger value="table">
            <TableProperties aria-hidden />
            {t("table")}
          </TabsTrigger>
        </TabsList>
      </Card>
    </Tabs>
  );
}

interface GranularityChoice {
  offered: readonly Granularity[];
  chosen: Granularity | undefined;
}

function useGranularity(): GranularityChoice {
  const { query } = useBoard();
  const now = useNow().getTime();
  return { offered: granularitiesFor(query.period, now), chosen: granularityOf(query, now) };
}

function GranularitySelect({ offered, chosen }: GranularityChoice) {
  const t = useTranslations("analytics");
  const { change } = useBoard();
  if (offered.length < 2) return null;
  return (
    <Select
      aria-label={t("granularity")}
      value={chosen ?? "auto"}
      onValueChange={(value) => change({ granularity: offered.find((one) => one === value) })}
      className="h-8 w-auto min-w-24"
      options={(["auto", ...offered] as const).map((one) => ({
        value: one,
        label: t(`granularities.${one}`),
      }))}
    />
  );
}

interface ChartPanelProps extends SeriesChartProps {
  openAnnotation: AnnotationEditor["open"];
}

function ChartPanel({ openAnnotation, ...series }: ChartPanelProps) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  const { points, zone } = series;
  const isHydrated = useHydrated();
  const first = points[0];
  const last = points.at(-1);
  const sum = (of: (point: SeriesPoint) => number) =>
    points.reduce((total, one) => total + of(one), 0);
  const clicks = sum((point) => point.clicks);
  const before = sum((point) => point.before?.clicks ?? 0);
  const bots = series.bots ? sum((point) => point.bots) : 0;
  if (clicks + before + bots === 0 || !first || !last) return <NoClicks />;
  const labelOf = (start: string) => format.dateTime(new Date(start), bucketFormat(points, zone));
  const sketch = <SeriesSketch points={points} labelOf={labelOf} />;
  return (
    <div className="relative">
      <div
        role="img"
        aria-label={t("chartSummary", {
          clicks,
          visitors: sum((point) => point.visitors),
          from: labelOf(first.start),
          to: labelOf(last.start),
        })}
      >
        <Legend {...series} />
        {isHydrated ? (
          <Suspense fallback={sketch}>
            <SeriesChart
              {...series}
              {...(openAnnotation
                ? { onPoint: (start: string) => openAnnotation({ at: start, text: "" }) }
                : {})}
            />
          </Suspense>
        ) : (
          sketch
        )}
      </div>
      <AnnotationMarks points={points} open={openAnnotation} />
    </div>
  );
}

function Legend({ points, bots, before }: SeriesChartProps) {
  const t = useTranslations("analytics");
  const compare = points.some((point) => point.before);
  const { running } = divideBuckets(points);
  return (
    <div className="mb-3 flex h-4 flex-wrap gap-x-4 overflow-hidden text-ink-muted text-xs">
      <Mark className="h-0.5 rounded-full bg-accent">{t("clicks")}</Mark>
      <Mark className="border-ink-faint border-t-2 border-dashed">{t("visitors")}</Mark>
      {running ? (
        <span className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-full border-2 border-accent bg-surface" />
          {t("inProgress")}
        </span>
      ) : null}
      {compare ? <Mark className="border-line-strong border-t-2">{before}</Mark> : null}
      {bots ? <Mark className="border-danger border-t-2 border-dotted">{t("bots")}</Mark> : null}
    </div>
  );
}

function Mark({ className, children }: { className: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span className={classNames("w-4", className)} />
      {children}
    </span>
  );
}

function NoClicks() {
  const t = useTranslations("analytics");
  return (
    <div
      className={classNames("grid content-center justify-items-center gap-1 text-center", height)}
    >
      <MousePointerClick aria-hidden className="mb-2 size-5 text-ink-faint" />
      <p className="font-medium text-sm">{t("noClicks")}</p>
      <p className="text-ink-muted text-sm">{t("noClicksText")}</p>
    </div>
  );
}

const seriesColumns = {
  start: ({ start }: SeriesPoint) => Date.parse(start),
  clicks: ({ clicks }: SeriesPoint) => clicks,
  visitors: ({ visitors }: SeriesPoint) => visitors,
  before: ({ before }: SeriesPoint) => before?.clicks ?? 0,
  bots: ({ bots }: SeriesPoint) => bots,
};

/** Lists only buckets that have begun. */
function SeriesTable({ points, zone, bots, before }: SeriesChartProps) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  const compare = points.some((point) => point.before);
  const { finished, running } = divideBuckets(points);
  const begun = running ? [running, ...finished.toReversed()] : finished.toReversed();
  const { sorted, ...sorter } = useSorted(begun, seriesColumns, { by: "start", descending: true });
  const number = classNames(tableHeadClass, "text-right");
  return (
    <div className="max-h-[480px] overflow-y-auto">
      <Table caption={t("tableCaption")}>
        <thead>
          <tr>
            <SortHead column="start" sorter={sorter} className={tableHeadClass}>
              {t("start")}
            </SortHead>
            <SortHead column="clicks" sorter={sorter} className={number}>
              {t("clicks")}
            </SortHead>
            <SortHead column="visitors" sorter={sorter} className={number}>
              {t("visitors")}
            </SortHead>
            {compare ? (
              <SortHead column="before" sorter={sorter} className={number}>
                {before}
              </SortHead>
            ) : null}
            {bots ? (
              <SortHead column="bots" sorter={sorter} className={number}>
                {t("bots")}
              </SortHead>
            ) : null}
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {sorted.map((point) => (
            <TableRow key={point.start}>
              <TableCell className="h-8">
                <time dateTime={point.start}>
                  {format.dateTime(new Date(point.start), bucketFormat(points, zone))}
                </time>
                {point === running ? (
                  <span className="ml-2 text-ink-muted">{t("inProgress")}</span>
                ) : null}
              </TableCell>
              <TableCell className="h-8 text-right">{format.number(point.clicks)}</TableCell>
              <TableCell className="h-8 text-right">{format.number(point.visitors)}</TableCell>
              {compare ? (
                <TableCell className="h-8 text-right">
                  {format.number(point.before?.clicks ?? 0)}
                </TableCell>
              ) : null}
              {bots ? (
                <TableCell className="h-8 text-right">{format.number(point.bots)}</TableCell>
              ) : null}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

const ZoneList = dynamic(
  () => import("#components/workspaces/zone-list").then((one) => one.ZoneList),
  { ssr: false, loading: () => <Skeleton className="m-2 h-40" /> },
);

/** Chooses the time zone of days and hours: that of the workspace, or another one in the URL. */
function ZonePicker() {
  const t = useTranslations("analytics");
  const { zone, change } = useBoard();
  const { zone: ownZone } = useSource();
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="ghost" size="sm" className="-ml-2 text-ink-muted">
          {t("zoneNote", { zone })}
          <ChevronDown aria-hidden className="!size-3.5" />
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={t("zone")} align="start" className="p-0">
        <ZoneList
          label={t("zone")}
          placeholder={t("zoneSearch")}
          empty={t("zoneEmpty")}
          zone={zone}
          first={ownZone}
          onChoose={(name) => {
            change({ zone: name === ownZone ? undefined : name });
            setOpen(false);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}
