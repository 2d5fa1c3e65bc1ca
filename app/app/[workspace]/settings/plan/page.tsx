import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { getFormatter, getTranslations } from "next-intl/server";
import { BillingCard } from "#components/plans/billing-card";
import { Meter } from "#components/plans/meter";
import { PaymentTable } from "#components/plans/payment-table";
import { PlanTable } from "#components/plans/plan-table";
import { SupportCard } from "#components/plans/support-card";
import { PageHead } from "#components/shell/page-head";
import { Card } from "#components/ui/card";
import { askAnalytics } from "#lib/analytics/reports";
import { analyticsQuery } from "#lib/analytics/reports/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { readBilling } from "#lib/tenancy/billing";
import { listPayments, readPlanState } from "#lib/tenancy/plan-changes";
import type { PlanState } from "#lib/tenancy/plan-changes/schema";
import { includes, limitOf } from "#lib/tenancy/plans";
import { shownCounted } from "#lib/tenancy/plans/schema";
import { callsPerMinuteOf, currentMonth, readUsage } from "#lib/tenancy/quotas";
import { offersSupport, readSupportContact } from "#lib/tenancy/support";
import { titleOf } from "../../../../pages.ts";
import { hasPrices, listPlans } from "../../../../plans.ts";
import { Texts } from "../../../../texts.tsx";
import { requireScope } from "../../../access.ts";
import { openPortalAction, startCheckoutAction } from "./actions.ts";

export const generateMetadata = titleOf("plans.heading");

interface PlanPageProps {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<{ paid?: string }>;
}

export default async function PlanPage({ params, searchParams }: PlanPageProps) {
  const { workspace: slug } = await params;
  const { paid } = await searchParams;
  const scope = await requireScope(slug);
  const mayManage = scope.permissions.has("workspace.write");
  const [t, format, usage, clicks, state, billing, payments] = await Promise.all([
    getTranslations("plans"),
    getFormatter(),
    readUsage(scope),
    clicksOfMonth(scope),
    readPlanState(scope),
    readBilling(scope),
    mayManage ? listPayments(scope) : [],
  ]);
  const month = currentMonth(scope);
  const day = (text: string) =>
    // A day of the workspace's zone, whatever the reader's is.
    format.dateTime(new Date(`${text}T00:00:00Z`), { dateStyle: "long", timeZone: "UTC" });
  // An instance that sells nothing has one plan, with everything.
  const comparesPlans = hasPrices() || billing !== undefined || scope.plan !== "enterprise";
  const calls = callsPerMinuteOf(scope);
  const keptDays = limitOf(scope, "clicksKeptDays");
  return (
    <Texts of={["plans.billing"]}>
      <PageHead
        heading={t("heading")}
        note={<PlanNote scope={scope} state={state} cancelsAt={billing?.subscription?.cancelsAt} />}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
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
            {shownCounted.map((name) => (
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
        {billing ? (
          <BillingCard
            billing={billing}
            zone={scope.zone}
            paid={paid === "1"}
            buy={(offer) => startCheckoutAction.bind(null, slug, offer)}
            openPortal={openPortalAction.bind(null, slug)}
          />
        ) : null}
        {payments.length > 0 ? <PaymentTable payments={payments} zone={scope.zone} /> : null}
        <Support scope={scope} />
        {comparesPlans ? (
          <section className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-labelledby="plans">
            <h2 id="plans" className="font-semibold text-base">
              {t("compare")}
            </h2>
            <PlanTable plans={listPlans()} current={scope.plan} offersSupport={offersSupport()} />
            <p className="text-ink-muted text-sm">
              {t("keepsWorking")} <GuideLink />
            </p>
            {billing ? null : (
              <p className="text-ink-muted text-sm">{t(mayManage ? "change" : "askOwner")}</p>
            )}
          </section>
        ) : null}
      </div>
    </Texts>
  );
}

function Support({ scope }: { scope: WorkspaceScope }) {
  if (!offersSupport()) return null;
  return (
    <SupportCard contact={includes(scope, "support") ? readSupportContact(scope) : undefined} />
  );
}

/** Without prices, there is no such guide. */
function GuideLink() {
  const t = useTranslations("plans");
  if (!hasPrices()) return null;
  return (
    <Link href="/docs/plans" className="underline underline-offset-4">
      {t("guide")}
    </Link>
  );
}

interface PlanNoteProps {
  scope: WorkspaceScope;
  state: PlanState;
  /** The end of a canceled subscription; the others are renewed. */
  cancelsAt: string | null | undefined;
}

function PlanNote({ scope, state: { source, endsAt }, cancelsAt }: PlanNoteProps) {
  const t = useTranslations("plans");
  const format = useFormatter();
  const end = source === "stripe" ? cancelsAt : endsAt;
  return (
    <>
      {t("note", { plan: t(`planNames.${scope.plan}`), zone: scope.zone })}
      {scope.limits ? ` ${t("limitsOwn")}` : null}
      {end
        ? ` ${t("endsAt", {
            date: format.dateTime(new Date(end), { dateStyle: "long", timeZone: scope.zone }),
          })}`
        : null}
    </>
  );
}

async function clicksOfMonth(scope: WorkspaceScope): Promise<number> {
  const query = analyticsQuery.parse({ interval: "mtd", timezone: scope.zone });
  const { answer } = await askAnalytics(scope, query);
  return "clicks" in answer && typeof answer.clicks === "number" ? answer.clicks : 0;
}
