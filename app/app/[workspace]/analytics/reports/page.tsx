import { Mail } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { ReportDeliveries } from "#components/email-reports/report-deliveries";
import { ReportManager } from "#components/email-reports/report-manager";
import { TrafficAlerts } from "#components/email-reports/traffic-alerts";
import { BackLink } from "#components/shell/back-link";
import { EmptyState } from "#components/ui/empty-state";
import { getTrafficAlert } from "#lib/analytics/traffic-alerts";
import { findCampaignNames } from "#lib/outreach/campaign-overview";
import { listReportDeliveries, listReports } from "#lib/outreach/email-reports";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listMembers } from "#lib/tenancy/members";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { listSubjects, type Subject } from "../subjects.ts";
import {
  createReportAction,
  deleteReportAction,
  editReportAction,
  previewReportAction,
  setAlertsAction,
} from "./actions.ts";

export const generateMetadata = titleOf("emailReports.heading");

export default async function ReportsPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const t = await getTranslations("emailReports");
  if (!scope.permissions.has("links.write")) {
    return (
      <EmptyState icon={<Mail aria-hidden />} title={t("heading")} wholePage>
        {t("notYours")}
      </EmptyState>
    );
  }
  const [reports, deliveries, subjects, members, alert] = await Promise.all([
    listReports(scope),
    listReportDeliveries(scope),
    listReportSubjects(scope),
    listMembers(scope),
    getTrafficAlert(scope),
  ]);
  return (
    <Texts of={["emailReports", "trafficAlerts"]}>
      <BackLink href={`/app/${workspace}/analytics`}>{t("back")}</BackLink>
      <ReportManager
        reports={reports}
        subjects={subjects}
        members={members.map(({ id, name }) => ({ value: id, label: name }))}
        ownId={scope.userId ?? ""}
        zone={scope.zone}
        create={createReportAction.bind(null, workspace)}
        edit={editReportAction.bind(null, workspace)}
        remove={deleteReportAction.bind(null, workspace)}
        preview={previewReportAction.bind(null, workspace)}
      />
      <ReportDeliveries
        deliveries={deliveries}
        reports={reports}
        subjects={subjects}
        zone={scope.zone}
      />
      {scope.permissions.has("workspace.write") ? (
        <TrafficAlerts
          alert={alert}
          webhooks={`/app/${workspace}/settings/webhooks`}
          save={setAlertsAction.bind(null, workspace)}
        />
      ) : null}
    </Texts>
  );
}

async function listReportSubjects(scope: WorkspaceScope): Promise<Subject[]> {
  const [t, subjects, campaigns] = await Promise.all([
    getTranslations("emailReports"),
    listSubjects(scope, true),
    findCampaignNames(scope, ""),
  ]);
  return [
    ...subjects,
    ...campaigns.map(({ id, name }) => ({
      value: `campaign:${id}`,
      name: t("campaignOf", { name }),
    })),
  ];
}
