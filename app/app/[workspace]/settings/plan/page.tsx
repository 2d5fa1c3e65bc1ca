import { ExternalLink, Mail } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { getFormatter, getTranslations } from "next-intl/server";
import { BillingCard } from "#components/plans/billing-card";
import { LockNote } from "#components/plans/locked";
import { PlanTable } from "#components/plans/plan-table";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { classNames } from "#components/ui/class-names.ts";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { askAnalytics } from "#lib/analytics/reports";
import { analyticsQuery } from "#lib/analytics/reports/schema";
import { mapTable } from "#lib/basics/variants/schema";
import { countShown } from "#lib/links/reading";
import { countLinksQuery, exactTotalMax } from "#lib/links/reading/schema";
import { planNames } from "#lib/platform/config/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { readBilling } from "#lib/tenancy/billing";
import { listPayments, readPlanState } from "#lib/tenancy/plan-changes";
import type { PlanState } from "#lib/tenancy/plan-changes/schema";
import { includes, limitOf } from "#lib/tenancy/plans";
import { shownCounted } from "#lib/tenancy/plans/schema";
import { callsPerMinuteOf, currentMonth, readUsage } from "#lib/tenancy/quotas";
import { offersSupport, readSupportContact } from "#lib/tenancy/support";
import { type ListPageOf, Texts, titleOf } from "../../../../pages.tsx";
import { hasPrices, listPlans } from "../../../../plans.ts";
import { requireScope } from "../../../access.ts";
import { openPortalAction, startCheckoutAction } from "./actions.ts";

export const generateMetadata = titleOf("plans.heading");

export default async function PlanPage({ params, searchParams }: ListPageOf<"workspace">) {
  const { workspace: slug } = await params;
  const { paid } = await searchParams;
  const scope = await requireScope(slug);
  const mayManage = scope.permissions.has("workspace.write");
  const [t, format, usage, clicks, state, billing, payments] = await Promise.all([
    getTranslations("plans"),
    getFormatter(),
    readCountedUsage(scope),
    clicksOfMonth(scope),
    readPlanState(scope),
    readBilling(scope),
    mayManage ? listPayments(scope) : [],
  ]);
  const month = currentMonth(scope);
  const day = (text: string) =>
    // Days are in the time zone of the workspace, not of the reader.
    format.dateTime(new Date(`${text}T00:00:00Z`), { dateStyle: "long", timeZone: "UTC" });
  // An instance without prices has a single plan that includes everything.
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
              <Meter
                key={name}
                label={t(`names.${name}`)}
                {...usage[name]}
                used={usage[name].used ?? 0}
              />
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
  /** When a canceled subscription ends. Other subscriptions renew. */
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

/** Plans without a limit keep no counter of links, so the month’s existing links are counted, up to a maximum. */
async function readCountedUsage(scope: WorkspaceScope) {
  const usage = await readUsage(scope);
  const { from } = currentMonth(scope);
  const filters = { createdAfter: from, showArchived: "true" };
  const links = usage.links.used ?? (await countShown(scope, countLinksQuery.parse(filters)));
  const counted = { used: Math.min(links, exactTotalMax), more: links > exactTotalMax };
  return mapTable(usage, ({ used, limit }) =>
    used === null ? { ...counted, limit } : { used, limit },
  );
}

interface MeterProps {
  label: string;
  used: number;
  /** More than `used` were counted. */
  more?: boolean;
  limit: number | null;
  note?: string;
}

/** A limit is near from these percentages on. Owners are notified at the same ones. */
const nearPercents = [90, 70] as const;

function Meter({ label, used, more, limit, note }: MeterProps) {
  const t = useTranslations("plans");
  const format = useFormatter();
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <p className="font-medium">{label}</p>
        <p className="text-ink-muted tabular-nums">
          {limit === null
            ? t("usedUnlimited", { used: `${format.number(used)}${more ? "+" : ""}` })
            : t("usedOf", { used: format.number(used), limit: format.number(limit) })}
        </p>
      </div>
      {limit === null ? null : <Bar label={label} used={used} limit={limit} />}
      {note ? <p className="text-ink-muted text-xs">{note}</p> : null}
    </div>
  );
}

function Bar({ label, used, limit }: { label: string; used: number; limit: number }) {
  const t = useTranslations("plans");
  const share = Math.min(1, used / limit);
  const full = share >= 1;
  const near = nearPercents.find((percent) => used * 100 >= percent * limit);
  return (
    <>
      {/* Browsers render a meter element differently, so it is only read out. */}
      <meter aria-label={label} className="sr-only" min={0} max={limit} value={used} />
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-pressed">
        <div
          className={classNames("h-full rounded-full", full ? "bg-danger-fill" : "bg-accent")}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {near === undefined ? null : (
        <p className={classNames("text-xs", full ? "text-danger" : "text-ink-muted")}>
          {full ? t("full") : t("near", { percent: near })}
        </p>
      )}
    </>
  );
}

interface SupportCardProps {
  /** An email address or an https URL. Undefined if the plan includes no support. */
  contact: string | undefined;
}

function SupportCard({ contact }: SupportCardProps) {
  const t = useTranslations("plans.support");
  const isPage = contact?.startsWith("https:");
  const Icon = isPage ? ExternalLink : Mail;
  return (
    <Card heading={t("heading")} note={contact ? t("note") : <LockNote />}>
      {contact ? (
        <Button asChild className="justify-self-start">
          <a href={isPage ? contact : `mailto:${contact}`}>
            <Icon aria-hidden />
            {isPage ? t("open") : t("write", { contact })}
          </a>
        </Button>
      ) : null}
    </Card>
  );
}

interface PaymentTableProps {
  payments: readonly {
    id: string;
    plan: string;
    reference: string;
    kind: string;
    amount: string;
    currency: string;
    outcome: string;
    at: string;
    paidUntil: string | null;
  }[];
  zone: string;
}

/** Payments that are not part of a subscription: invoices, the trial and prepaid terms. */
function PaymentTable({ payments, zone }: PaymentTableProps) {
  const t = useTranslations("plans.billing");
  const plans = useTranslations("plans.planNames");
  const format = useFormatter();
  const day = (at: string) =>
    format.dateTime(new Date(at), { dateStyle: "medium", timeZone: zone });
  const planName = (name: string) => {
    const known = planNames.find((one) => one === name);
    return known ? plans(known) : name;
  };
  return (
    <Card heading={t("payments")}>
      <Table caption={t("payments")}>
        <thead>
          <tr>
            <TableHead>{t("columns.date")}</TableHead>
            <TableHead>{t("columns.plan")}</TableHead>
            <TableHead>{t("columns.amount")}</TableHead>
            <TableHead>{t("columns.until")}</TableHead>
            <TableHead>{t("columns.reference")}</TableHead>
          </tr>
        </thead>
        <tbody>
          {payments.map(
            ({ id, plan, reference, kind, amount, currency, outcome, at, paidUntil }) => (
              <TableRow key={id}>
                <TableCell>{day(at)}</TableCell>
                <TableCell>{planName(plan)}</TableCell>
                <TableCell className="tabular-nums">
                  {format.number(Number(amount), { style: "currency", currency })}
                </TableCell>
                <TableCell>
                  {outcome === "refunded" || outcome === "disputed"
                    ? t(outcome)
                    : paidUntil
                      ? day(paidUntil)
                      : null}
                </TableCell>
                <TableCell className="break-all">
                  {kind === "manual" ? reference : "Stripe"}
                </TableCell>
              </TableRow>
            ),
          )}
        </tbody>
      </Table>
    </Card>
  );
}
