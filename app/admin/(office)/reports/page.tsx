import { Flag } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { PageHead } from "#components/shell/page-head";
import { ReportCard } from "#components/trust/report-card";
import { EmptyState } from "#components/ui/empty-state";
import { listReports } from "#lib/office/reports";
import { Texts } from "../../../pages.tsx";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";
import { decideReportsAction } from "./actions.ts";

const texts = ["admin.reports", "admin.reasons"];

export const generateMetadata = officeTitle("reports");

export default async function ReportsPage() {
  const operator = await requireOperator();
  const [t, reported] = await Promise.all([
    getTranslations("admin.reports"),
    listReports(operator),
  ]);
  return (
    <Texts of={texts}>
      <PageHead heading={t("title")} note={t("note")} />
      {reported.length === 0 ? (
        <EmptyState icon={<Flag aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      ) : (
        <ul className="grid gap-4">
          {reported.map((link) => (
            <ReportCard
              key={link.linkId}
              link={link}
              decide={decideReportsAction.bind(null, link.linkId)}
            />
          ))}
        </ul>
      )}
    </Texts>
  );
}
