import { useFormatter, useTranslations } from "next-intl";
import type { FormAnswer } from "#components/forms/form";
import { Badge } from "#components/ui/badge";
import { Card } from "#components/ui/card";
import { type PlanName, planNames } from "#lib/platform/config/schema";
import type { BillingState, ShownOffer } from "#lib/tenancy/billing/schema";
import { trialDays } from "#lib/tenancy/plan-changes/schema";
import { StripeButton } from "./billing-buttons.tsx";

interface BillingCardProps {
  billing: BillingState;
  zone: string;
  buy: (offer: string) => () => Promise<FormAnswer<string>>;
  openPortal: () => Promise<FormAnswer<string>>;
  paid: boolean;
}

const statuses = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "canceled",
  "incomplete",
  "incomplete_expired",
  "paused",
] as const;

export function BillingCard({ billing, zone, buy, openPortal, paid }: BillingCardProps) {
  const t = useTranslations("plans.billing");
  const { offers, subscription, hasPortal } = billing;
  const portal = hasPortal ? <StripeButton open={openPortal} label={t("portal")} /> : null;
  return (
    <Card heading={t("heading")} note={t("note")} aside={portal}>
      {paid ? (
        <p role="status" className="text-sm">
          {t("paid")}
        </p>
      ) : null}
      {subscription ? <SubscriptionState subscription={subscription} zone={zone} /> : null}
      {offers.length > 0 ? (
        <ul className="grid gap-2">
          {offers.map((offer) => (
            <OfferRow key={offer.name} offer={offer} buy={buy(offer.name)} />
          ))}
        </ul>
      ) : subscription ? null : (
        <p className="text-ink-muted text-sm">{t("nothing")}</p>
      )}
    </Card>
  );
}

function usePlanName(): (name: string) => string {
  const t = useTranslations("plans.planNames");
  return (name) => {
    const known: PlanName | undefined = planNames.find((one) => one === name);
    return known ? t(known) : name;
  };
}

function SubscriptionState({
  subscription: { plan, status, periodEndsAt, cancelsAt },
  zone,
}: {
  subscription: NonNullable<BillingState["subscription"]>;
  zone: string;
}) {
  const t = useTranslations("plans.billing");
  const format = useFormatter();
  const planName = usePlanName();
  const known = statuses.find((one) => one === status);
  const isLive = status === "active" || status === "trialing";
  const day = (at: string) => format.dateTime(new Date(at), { dateStyle: "long", timeZone: zone });
  return (
    <div className="grid gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {t("subscription", { plan: planName(plan) })}
        <Badge tone={isLive ? "green" : "red"}>{known ? t(`statuses.${known}`) : status}</Badge>
      </p>
      {cancelsAt ? (
        <p className="text-ink-muted">{t("cancels", { date: day(cancelsAt) })}</p>
      ) : null}
      {isLive && periodEndsAt && !cancelsAt ? (
        <p className="text-ink-muted">{t("renews", { date: day(periodEndsAt) })}</p>
      ) : null}
      {status === "past_due" || status === "unpaid" ? (
        <p className="text-danger">{t("overdue")}</p>
      ) : null}
    </div>
  );
}

function OfferRow({ offer, buy }: { offer: ShownOffer; buy: () => Promise<FormAnswer<string>> }) {
  const t = useTranslations("plans.billing");
  const format = useFormatter();
  const { amount, currency } = offer;
  const name = useOfferName()(offer);
  const price = format.number(amount, { style: "currency", currency });
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line px-4 py-3 text-sm">
      <p>
        {name} <span className="text-ink-muted tabular-nums">{price}</span>
      </p>
      <StripeButton
        open={buy}
        label={t("buy")}
        name={t("buyNamed", { name: `${name} ${price}` })}
      />
    </li>
  );
}

function useOfferName(): (offer: ShownOffer) => string {
  const t = useTranslations("plans.billing.terms");
  const planName = usePlanName();
  return ({ plan, term }) =>
    typeof term === "number"
      ? t("prepaid", { plan: planName(plan), months: term })
      : t(term, { plan: planName(plan), days: trialDays });
}
