import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { askAnalytics } from "#lib/analytics/reports";
import { analyticsQuery } from "#lib/analytics/reports/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { plans } from "#lib/tenancy/plans";
import { callsPerMinuteOf, currentMonth, readUsage } from "#lib/tenancy/quotas";
import { Meter } from "../../../../../components/plans/meter.tsx";
import { PlanTable } from "../../../../../components/plans/plan-table.tsx";
import { PageHead } from "../../../../../components/shell/page-head.tsx";
import { Card } from "../../../../../components/ui/card.tsx";
import { listPlans } from "../../../../plans.ts";
import { requireScope } from "../../../access.ts";

const countedQuotas = ["domains", "members", "apiKeys", "tags", "folders"] as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("plans");
  return { title: t("heading") };
}

interface PlanPageProps {
  params: Promise<{ workspace: string }>;
}

export default async function PlanPage({ params }: PlanPageProps) {
  const { workspace: slug } = await params;
  const scope = await requireScope(slug);
  const [t, format, usage, clicks] = await Promise.all([
    getTranslations("plans"),
    getFormatter(),
    readUsage(scope),
    clicksOfMonth(scope),
  ]);
  const month = currentMonth(scope);
  const day = (text: string) =>
    // A day of the workspace's zone, whatever the reader's is.
    format.dateTime(new Date(`${text}T00:00:00Z`), { dateStyle: "long", timeZone: "UTC" });
  const calls = callsPerMinuteOf(scope);
  const keptDays = plans[scope.plan].clicksKeptDays;
  return (
    <>
      <PageHead
        heading={t("heading")}
        note={t("note", { plan: t(`planNames.${scope.plan}`), zone: scope.zone })}
      />
      <div className="grid gap-5">
        <Card
          heading={t("thisMonth")}
          note={t("period", { from: day(month.from), until: day(month.until) })}
        >
          <div className="grid gap-5 sm:grid-cols-2">
            <Meter label={t("names.links")} {...usage.links} />
            <Meter
              label={t("clicks")}
              used={clicks}
              limit={null}
              note={keptDays === null ? t("keptAll") : t("keptDays", { count: keptDays })}
            />
          </div>
        </Card>
        <Card heading={t("held")} note={t("heldNote")}>
          <div className="grid gap-5 sm:grid-cols-2">
            {countedQuotas.map((name) => (
              <Meter key={name} label={t(`names.${name}`)} {...usage[name]} />
            ))}
            <div className="flex items-baseline justify-between gap-3 text-sm">
              <p className="font-medium">{t("names.callsPerMinute")}</p>
              <p className="text-ink-muted tabular-nums">
                {calls === null ? t("unlimited") : format.number(calls)}
              </p>
            </div>
          </div>
        </Card>
        <section className="grid gap-3" aria-labelledby="plans">
          <h2 id="plans" className="font-semibold text-base">
            {t("compare")}
          </h2>
          <PlanTable plans={listPlans()} current={scope.plan} />
          <p className="text-ink-muted text-sm">{t("change")}</p>
        </section>
      </div>
    </>
  );
}

async function clicksOfMonth(scope: WorkspaceScope): Promise<number> {
  const query = analyticsQuery.parse({ interval: "mtd", timezone: scope.zone });
  const { answer } = await askAnalytics(scope, query);
  return "clicks" in answer && typeof answer.clicks === "number" ? answer.clicks : 0;
}
