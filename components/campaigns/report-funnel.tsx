import { useFormatter, useTranslations } from "next-intl";
import type { CampaignReport } from "#lib/outreach/campaign-reports/schema";

const steps = ["recipients", "sent", "delivered", "clicked"] as const;

/** From recipients to those who clicked. Each bar is a part of all recipients. */
export function ReportFunnel({ report }: { report: CampaignReport }) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  const all = Math.max(1, report.recipients);
  // Nothing was sent by Fuxi, or no receipts came: these steps are not known, and not zero.
  const shown = steps.filter((step) => {
    if (step === "sent") return report.rateOf !== "recipients";
    return step !== "delivered" || report.rateOf === "delivered";
  });
  return (
    <ol aria-label={t("funnel")} className="grid gap-2">
      {shown.map((step) => {
        const share = report[step] / all;
        return (
          <li
            key={step}
            className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-3 text-sm sm:grid-cols-[9rem_minmax(0,1fr)_9rem]"
          >
            <span className="font-medium">{t(`steps.${step}`)}</span>
            <span aria-hidden className="h-7 overflow-hidden rounded-md bg-sunken">
              <span
                className="block h-full rounded-md bg-accent"
                style={{ width: `${share * 100}%` }}
              />
            </span>
            <span className="col-start-2 tabular-nums sm:col-start-3 sm:text-right">
              <strong className="font-semibold">{format.number(report[step])}</strong>{" "}
              <span className="text-ink-muted">
                {format.number(share, { style: "percent", maximumFractionDigits: 1 })}
              </span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
