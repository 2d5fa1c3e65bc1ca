"use client";

import { useFormatter, useTranslations } from "next-intl";
import { Badge } from "#components/ui/badge";
import { DataTable } from "#components/ui/data-table";
import type {
  DeliveryState,
  EmailReport,
  ReportDelivery,
} from "#lib/outreach/email-reports/schema";
import type { ReportSubject } from "./report-draft.ts";
import { useReportName } from "./report-manager.tsx";

const tones: Readonly<Record<DeliveryState, string>> = {
  due: "blue",
  sending: "blue",
  sent: "green",
  unknown: "yellow",
  refused: "red",
  failed: "red",
  skipped: "gray",
};

interface ReportDeliveriesProps {
  deliveries: readonly ReportDelivery[];
  reports: readonly EmailReport[];
  subjects: readonly ReportSubject[];
  zone: string;
}

/** The latest emails, also those that were not sent, and those that may have been. */
export function ReportDeliveries({ deliveries, reports, subjects, zone }: ReportDeliveriesProps) {
  const t = useTranslations("emailReports");
  const format = useFormatter();
  const nameOf = useReportName(subjects);
  if (deliveries.length === 0) return null;
  const byId = new Map(reports.map((report) => [report.id, report]));
  const day = (text: string) => new Date(`${text}T00:00:00Z`);
  const date = { dateStyle: "medium", timeZone: "UTC" } as const;
  return (
    <section className="mt-8" aria-labelledby="report-deliveries">
      <h2 id="report-deliveries" className="mb-3 font-semibold text-base">
        {t("deliveries")}
      </h2>
      <DataTable
        caption={t("deliveries")}
        rows={deliveries}
        columns={[
          {
            heading: t("recipient"),
            cellClass: "max-w-36 py-2 sm:max-w-60",
            cell: ({ recipient, reportId }) => {
              const report = byId.get(reportId);
              return (
                <>
                  <span className="block truncate font-medium">
                    {recipient ?? t("removedRecipient")}
                  </span>
                  {report ? (
                    <span className="block truncate text-ink-muted text-xs">{nameOf(report)}</span>
                  ) : null}
                </>
              );
            },
          },
          {
            heading: t("period"),
            className: "hidden sm:table-cell",
            cellClass: "text-ink-muted",
            // Not as a range, whose spaces differ between Node and browsers.
            cell: ({ startsOn, endsOn }) =>
              [...new Set([startsOn, endsOn])]
                .map((text) => format.dateTime(day(text), date))
                .join(" – "),
          },
          {
            heading: t("state"),
            cellClass: "max-w-60 py-2",
            cell: ({ state, reason }) => (
              <>
                <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>
                {reason !== null || state === "unknown" ? (
                  <span className="mt-1 block whitespace-normal text-ink-muted text-xs">
                    {reason === null ? t("unknownText") : t(`reasons.${reason}`)}
                  </span>
                ) : null}
              </>
            ),
          },
          {
            heading: t("at"),
            className: "hidden md:table-cell",
            cellClass: "text-right text-ink-muted",
            headClass: "text-right",
            cell: ({ at }) =>
              format.dateTime(new Date(at), {
                dateStyle: "medium",
                timeStyle: "short",
                timeZone: zone,
              }),
          },
        ]}
      />
    </section>
  );
}
