"use client";

import { ChartNoAxesCombined, MousePointerClick, TableProperties } from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useTransition } from "react";
import type { Interval } from "#lib/analytics/schema";
import { classNames } from "../ui/class-names.ts";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../ui/tabs.tsx";
import { bucketFormat, sumOf } from "./series.ts";
import type { SeriesChartProps } from "./series-chart.tsx";
import { SeriesTable } from "./series-table.tsx";

// The chart is the heaviest part of the dashboard; the page and its numbers do not wait for it.
const SeriesChart = dynamic(() => import("./series-chart.tsx").then((one) => one.SeriesChart), {
  ssr: false,
  loading: () => <Skeleton className="h-[260px]" />,
});

interface SeriesCardProps extends SeriesChartProps {
  /** The periods one can choose. */
  intervals: readonly Interval[];
}

/** A time series with its period and view, both kept in the address bar. */
export function SeriesCard({ intervals, ...series }: SeriesCardProps) {
  const t = useTranslations("analytics");
  const router = useRouter();
  const path = usePathname();
  const params = useSearchParams();
  const [pending, start] = useTransition();
  const view = params.get("view") === "table" ? "table" : "chart";

  function addressWith(name: string, value: string): string {
    const next = new URLSearchParams(params);
    next.set(name, value);
    return `${path}?${next}`;
  }

  return (
    <section aria-labelledby="series-heading" className="rounded-xl border border-line bg-surface">
      <Tabs
        value={view}
        // The view needs nothing from the server.
        onValueChange={(next) => window.history.replaceState(null, "", addressWith("view", next))}
      >
        <div className="flex flex-wrap items-center gap-3 border-line border-b px-4 py-3">
          <h2 id="series-heading" className="w-full font-medium text-sm sm:mr-auto sm:w-auto">
            {t("chartHeading")}
          </h2>
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
          <Select
            aria-label={t("period")}
            className="h-8 w-auto text-sm"
            value={series.interval}
            onValueChange={(next) =>
              start(() => router.replace(addressWith("interval", next), { scroll: false }))
            }
            options={intervals.map((value) => ({ value, label: t(`intervals.${value}`) }))}
          />
        </div>
        <div
          aria-busy={pending}
          className={classNames("p-4 transition-opacity", pending && "opacity-50")}
        >
          <TabsContent value="chart">
            <ChartPanel {...series} />
          </TabsContent>
          <TabsContent value="table">
            <SeriesTable {...series} />
          </TabsContent>
          <p className="mt-3 text-ink-faint text-xs">{t("zoneNote", { zone: series.zone })}</p>
        </div>
      </Tabs>
    </section>
  );
}

function ChartPanel(series: SeriesChartProps) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  const { points, interval, zone } = series;
  const { clicks, visitors } = sumOf(points);
  const first = points[0];
  const last = points.at(-1);
  if (clicks === 0 || !first || !last) return <NoClicks />;
  const words = (start: string) => format.dateTime(new Date(start), bucketFormat(interval, zone));
  return (
    <div
      role="img"
      aria-label={t("chartSummary", {
        clicks,
        visitors,
        from: words(first.start),
        to: words(last.start),
      })}
    >
      <Legend />
      <SeriesChart {...series} />
    </div>
  );
}

function Legend() {
  const t = useTranslations("analytics");
  return (
    <div className="mb-3 flex gap-4 text-ink-muted text-xs">
      <span className="flex items-center gap-1.5">
        <span className="h-0.5 w-4 rounded-full bg-accent" />
        {t("clicks")}
      </span>
      <span className="flex items-center gap-1.5">
        <span className="w-4 border-ink-faint border-t-2 border-dashed" />
        {t("visitors")}
      </span>
    </div>
  );
}

function NoClicks() {
  const t = useTranslations("analytics");
  return (
    <div className="grid h-[284px] content-center justify-items-center gap-1 text-center">
      <MousePointerClick aria-hidden className="mb-2 size-5 text-ink-faint" />
      <p className="font-medium text-sm">{t("noClicks")}</p>
      <p className="text-ink-muted text-sm">{t("noClicksText")}</p>
    </div>
  );
}
