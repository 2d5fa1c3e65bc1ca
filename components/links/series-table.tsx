import { useFormatter, useTranslations } from "next-intl";
import { Table, TableCell, TableHead, TableRow } from "../ui/table.tsx";
import { bucketFormat } from "./series.ts";
import type { SeriesChartProps } from "./series-chart.tsx";

/** The chart in numbers, the newest first. */
export function SeriesTable({ points, interval, zone }: SeriesChartProps) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  return (
    <Table caption={t("tableCaption")}>
      <thead>
        <tr>
          <TableHead>{t("start")}</TableHead>
          <TableHead className="text-right">{t("clicks")}</TableHead>
          <TableHead className="text-right">{t("visitors")}</TableHead>
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {[...points].reverse().map(({ start, clicks, visitors }) => (
          <TableRow key={start}>
            <TableCell className="h-8">
              <time dateTime={start}>
                {format.dateTime(new Date(start), bucketFormat(interval, zone))}
              </time>
            </TableCell>
            <TableCell className="h-8 text-right">{format.number(clicks)}</TableCell>
            <TableCell className="h-8 text-right">{format.number(visitors)}</TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
