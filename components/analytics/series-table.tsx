import { useFormatter, useTranslations } from "next-intl";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { bucketFormat } from "./buckets.ts";
import type { SeriesChartProps } from "./series-chart.tsx";

/** The numbers of the chart, newest first. */
export function SeriesTable({ points, zone, bots, before }: SeriesChartProps) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  const compare = points.some((point) => point.before);
  return (
    <div className="max-h-[480px] overflow-y-auto">
      <Table caption={t("tableCaption")}>
        <thead>
          <tr>
            <TableHead>{t("start")}</TableHead>
            <TableHead className="text-right">{t("clicks")}</TableHead>
            <TableHead className="text-right">{t("visitors")}</TableHead>
            {compare ? <TableHead className="text-right">{before}</TableHead> : null}
            {bots ? <TableHead className="text-right">{t("bots")}</TableHead> : null}
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {[...points].reverse().map((point) => (
            <TableRow key={point.start}>
              <TableCell className="h-8">
                <time dateTime={point.start}>
                  {format.dateTime(new Date(point.start), bucketFormat(points, zone))}
                </time>
                {point.partial ? (
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
