import { GitCompareArrows } from "lucide-react";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ReportChooser } from "#components/campaigns/report-chooser";
import { ReportCompare } from "#components/campaigns/report-compare";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { EmptyState } from "#components/ui/empty-state";
import { compareCampaigns } from "#lib/outreach/campaign-reports";
import { compareCampaignsQuery, comparedMax } from "#lib/outreach/campaign-reports/schema";
import { listCampaigns } from "#lib/outreach/campaigns";
import { listCampaignsQuery } from "#lib/outreach/campaigns/schema";
import { AppError } from "#lib/platform/errors";
import { titleOf } from "../../../../pages.ts";
import { requireScope } from "../../../access.ts";

export const generateMetadata = titleOf("campaignReport.compareHeading");

interface ComparePageProps {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<{ ids?: string | string[] }>;
}

export default async function ComparePage({ params, searchParams }: ComparePageProps) {
  const [{ workspace }, { ids: asked = [] }] = await Promise.all([params, searchParams]);
  const scope = await requireScope(workspace);
  // A form sends one value per box, a link all of them in one.
  const ids = [...new Set([asked].flat().flatMap((text) => text.split(",")))].filter(Boolean);
  const query = compareCampaignsQuery.safeParse({ campaignIds: ids.join(",") });
  const [t, campaigns, reports] = await Promise.all([
    getTranslations("campaignReport"),
    listCampaigns(scope, listCampaignsQuery.parse({})),
    query.success ? compareCampaigns(scope, query.data).catch(missing) : [],
  ]);
  return (
    <>
      <BackLink href={`/app/${workspace}/campaigns`}>{t("campaigns")}</BackLink>
      <PageHead heading={t("compareHeading")} note={t("compareNote", { max: comparedMax })} />
      {campaigns.length < 2 ? (
        <EmptyState icon={<GitCompareArrows aria-hidden />} title={t("compareEmpty")}>
          {t("compareEmptyText")}
        </EmptyState>
      ) : (
        <div className="grid gap-4">
          <ReportChooser
            campaigns={campaigns}
            chosen={ids}
            wrong={ids.length > 1 && !query.success}
          />
          {reports.length > 0 ? (
            <ReportCompare reports={reports} base={`/app/${workspace}/campaigns`} />
          ) : null}
        </div>
      )}
    </>
  );
}

function missing(error: unknown): never {
  if (error instanceof AppError && error.code === "not_found") notFound();
  throw error;
}
