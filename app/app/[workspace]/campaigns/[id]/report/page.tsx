import { Download } from "lucide-react";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ReportLive } from "#components/campaigns/report-live";
import { ReportView } from "#components/campaigns/report-view";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Button } from "#components/ui/button";
import { getCampaignReport } from "#lib/outreach/campaign-reports";
import { getSending } from "#lib/outreach/sending";
import { AppError } from "#lib/platform/errors";
import { type PageOf, titleOf } from "../../../../../pages.tsx";
import { requireScope } from "../../../../access.ts";

export const generateMetadata = titleOf("campaignReport.title");

export default async function ReportPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const scope = await requireScope(workspace);
  const [t, report, sending] = await Promise.all([
    getTranslations("campaignReport"),
    getCampaignReport(scope, id).catch(missing),
    getSending(scope, id).catch(missing),
  ]);
  const base = `/app/${workspace}/campaigns`;
  const file = new URLSearchParams({ workspace, format: "csv" });
  const nextOf = (audience: string) => `${base}/new?${new URLSearchParams({ from: id, audience })}`;
  return (
    <>
      <ReportLive running={sending.state === "sending"} />
      <div className="mb-4 flex flex-wrap gap-2">
        <Button asChild>
          <a href={`/api/campaigns/${encodeURIComponent(id)}/report?${file}`} download>
            <Download aria-hidden />
            {t("export")}
          </a>
        </Button>
        <Button asChild>
          <PrefetchLink href={`${base}/compare?ids=${encodeURIComponent(id)}`}>
            {t("compare")}
          </PrefetchLink>
        </Button>
        {scope.permissions.has("campaigns.write") && report.recipients > 0 ? (
          <>
            <Button asChild>
              <PrefetchLink href={nextOf("clicked")}>{t("nextClicked")}</PrefetchLink>
            </Button>
            <Button asChild>
              <PrefetchLink href={nextOf("not_clicked")}>{t("nextNotClicked")}</PrefetchLink>
            </Button>
          </>
        ) : null}
      </div>
      <ReportView report={report} running={sending.state === "sending"} />
    </>
  );
}

function missing(error: unknown): never {
  if (error instanceof AppError && error.code === "not_found") notFound();
  throw error;
}
