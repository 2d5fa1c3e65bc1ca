import { useFormatter, useTranslations } from "next-intl";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Card } from "#components/ui/card";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { CampaignReport } from "#lib/outreach/campaign-reports/schema";
import { moneyOf } from "./send-money.ts";

interface ReportCompareProps {
  reports: readonly CampaignReport[];
  /** The path of the list of campaigns. */
  base: string;
}

const counts = ["recipients", "sent", "delivered", "clicked", "clicks"] as const;

/** Campaigns side by side: their rates as bars, and all numbers in a table. */
export function ReportCompare({ reports, base }: ReportCompareProps) {
  const t = useTranslations("campaignReport");
  return (
    <>
      <Card heading={t("clickRate")} note={t("compareRates")}>
        <Rates reports={reports} />
      </Card>
      <Card heading={t("numbers")}>
        <Numbers reports={reports} base={base} />
      </Card>
    </>
  );
}

function Rates({ reports }: Pick<ReportCompareProps, "reports">) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  const most = Math.max(...reports.map(({ clickRate }) => clickRate ?? 0), Number.EPSILON);
  return (
    <ul aria-label={t("clickRate")} className="grid gap-3 text-sm">
      {reports.map(({ campaignId, name, clickRate, rateOf }) => (
        <li key={campaignId} className="grid gap-1">
          <span className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 truncate font-medium">{name}</span>
            <span className="shrink-0 tabular-nums">
              <strong className="font-semibold">
                {clickRate === null
                  ? "–"
                  : format.number(clickRate, { style: "percent", maximumFractionDigits: 1 })}
              </strong>{" "}
              <span className="text-ink-muted">{t("rateNote", { of: t(`bases.${rateOf}`) })}</span>
            </span>
          </span>
          <span aria-hidden className="h-3 overflow-hidden rounded-full bg-sunken">
            <span
              className="block h-full rounded-full bg-accent"
              style={{ width: `${((clickRate ?? 0) / most) * 100}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Numbers({ reports, base }: ReportCompareProps) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  const share = (part: number | null) =>
    part === null ? "–" : format.number(part, { style: "percent", maximumFractionDigits: 1 });
  const ratioOf = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const lines: [string, (report: CampaignReport) => string][] = [
    ...counts.map((name): [string, (report: CampaignReport) => string] => [
      t(`steps.${name}`),
      (report) => format.number(report[name]),
    ]),
    [t("deliveryRate"), ({ delivered, sent }) => share(ratioOf(delivered, sent))],
    [t("clickRate"), ({ clickRate }) => share(clickRate)],
    [t("optedOut"), ({ optedOut }) => (optedOut === null ? "–" : format.number(optedOut))],
    [t("notDelivered"), ({ failed, refused }) => format.number(failed + refused)],
    [
      t("cost"),
      ({ cost, currency }) => (cost !== null && currency ? moneyOf(format, cost, currency) : "–"),
    ],
  ];
  return (
    <Table caption={t("tableOf", { name: t("numbers") })}>
      <thead>
        <tr>
          <TableHead>{t("figure")}</TableHead>
          {reports.map(({ campaignId, name }) => (
            <TableHead key={campaignId} className="max-w-48 truncate text-right">
              <PrefetchLink
                href={`${base}/${campaignId}/report`}
                className="text-ink underline-offset-4 hover:underline"
              >
                {name}
              </PrefetchLink>
            </TableHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(([name, textOf]) => (
          <TableRow key={name}>
            <th scope="row" className="h-11 whitespace-nowrap px-3 text-left font-medium">
              {name}
            </th>
            {reports.map((report) => (
              <TableCell key={report.campaignId} className="text-right tabular-nums">
                {textOf(report)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
