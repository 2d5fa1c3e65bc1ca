import { useFormatter, useTranslations } from "next-intl";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { CampaignReport } from "#lib/outreach/campaign-reports/schema";
import { moneyOf } from "./send-money.ts";

const counts = ["recipients", "sent", "delivered", "clicked", "clicks"] as const;

/** The variants of a test, one per row. */
export function ReportVariants({ report }: { report: CampaignReport }) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  const number = "text-right tabular-nums";
  return (
    <Table caption={t("tableOf", { name: t("variants") })}>
      <thead>
        <tr>
          <TableHead>{t("variant")}</TableHead>
          {counts.map((name) => (
            <TableHead key={name} className="text-right">
              {t(`steps.${name}`)}
            </TableHead>
          ))}
          <TableHead className="text-right">{t("clickRate")}</TableHead>
          <TableHead className="text-right">{t("cost")}</TableHead>
        </tr>
      </thead>
      <tbody>
        {report.variants.map((variant) => (
          <TableRow key={variant.name}>
            <TableCell className="max-w-48 truncate font-medium">{variant.name}</TableCell>
            {counts.map((name) => (
              <TableCell key={name} className={number}>
                {format.number(variant[name])}
              </TableCell>
            ))}
            <TableCell className={number}>
              {variant.clickRate === null
                ? "–"
                : format.number(variant.clickRate, { style: "percent", maximumFractionDigits: 1 })}
            </TableCell>
            <TableCell className={number}>
              {variant.cost !== null && report.currency
                ? moneyOf(format, variant.cost, report.currency)
                : "–"}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
