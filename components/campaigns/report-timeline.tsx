import { useFormatter, useTranslations } from "next-intl";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { DetailedReport } from "#lib/outreach/campaign-reports/schema";

type Clicks = DetailedReport["clicksByTime"];

const width = 1_000;
const height = 160;

/** First clicks over time as a line. Every number is in the table below it. */
export function ReportTimeline({ clicks: { unit, timezone, buckets } }: { clicks: Clicks }) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  const [first, last] = [buckets.at(0), buckets.at(-1)];
  if (!first || !last) return <p className="text-ink-muted text-sm">{t("noClicks")}</p>;
  const label = (start: string) =>
    format.dateTime(new Date(start), {
      timeZone: timezone,
      ...(unit === "month" ? { year: "numeric", month: "short" } : { dateStyle: "medium" }),
      ...(unit === "hour" ? { timeStyle: "short" } : {}),
    });
  const most = Math.max(1, ...buckets.map(({ recipients }) => recipients));
  const summary = t("timelineSummary", {
    from: label(first.start),
    to: label(last.start),
    most: format.number(most),
  });
  return (
    <div className="grid gap-3">
      <svg
        role="img"
        aria-label={summary}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-40 w-full text-accent"
      >
        <title>{summary}</title>
        <path d={areaOf(buckets, most)} fill="currentColor" fillOpacity={0.1} />
        <path
          d={lineOf(buckets, most)}
          fill="none"
          stroke="currentColor"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <p className="flex justify-between gap-4 text-ink-muted text-xs">
        <span>{label(first.start)}</span>
        <span>{t("most", { most: format.number(most) })}</span>
        <span>{label(last.start)}</span>
      </p>
      <details className="text-sm">
        <summary className="cursor-pointer rounded-sm text-ink-muted hover:text-ink">
          {t("asTable")}
        </summary>
        <div className="mt-2 max-h-72 overflow-y-auto">
          <Table caption={t("tableOf", { name: t(`timeline.${unit}`) })}>
            <thead>
              <tr>
                <TableHead>{t("time")}</TableHead>
                <TableHead className="text-right">{t("count")}</TableHead>
              </tr>
            </thead>
            <tbody>
              {buckets
                .filter(({ recipients }) => recipients > 0)
                .map(({ start, recipients }) => (
                  <TableRow key={start}>
                    <TableCell>{label(start)}</TableCell>
                    <TableCell className="text-right tabular-nums">
                      {format.number(recipients)}
                    </TableCell>
                  </TableRow>
                ))}
            </tbody>
          </Table>
        </div>
      </details>
    </div>
  );
}

function pointsOf(buckets: Clicks["buckets"], most: number): [number, number][] {
  const step = width / Math.max(1, buckets.length - 1);
  const points = buckets.map(({ recipients }, at): [number, number] => [
    at * step,
    height - 2 - (recipients / most) * (height - 4),
  ]);
  const [only] = points;
  // A single bucket is drawn as a peak, because there were no clicks before.
  return points.length === 1 && only
    ? [
        [0, height],
        [width / 2, only[1]],
        [width, height],
      ]
    : points;
}

function lineOf(buckets: Clicks["buckets"], most: number): string {
  return `M${pointsOf(buckets, most)
    .map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`)
    .join("L")}`;
}

function areaOf(buckets: Clicks["buckets"], most: number): string {
  return `${lineOf(buckets, most)}L${width} ${height}L0 ${height}Z`;
}
