import { Check, Minus } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Badge } from "#components/ui/badge";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { PlanName } from "#lib/platform/config/schema";
import type { ShownOffer } from "#lib/tenancy/billing/schema";
import { trialDays } from "#lib/tenancy/plan-changes/schema";
import {
  type Capability,
  capabilityNames,
  type LimitName,
  quotaNames,
} from "#lib/tenancy/plans/schema";

/** What a plan includes; a limit of null is unlimited. */
export interface PlanSummary {
  name: PlanName;
  price: string | null;
  offer: ShownOffer | null;
  limits: Readonly<Record<LimitName, number | null>>;
  capabilities: readonly Capability[];
}

interface PlanTableProps {
  plans: readonly PlanSummary[];
  current?: string;
  offersSupport: boolean;
  /** More rows, with a cell for each plan. */
  more?: readonly { label: string; cells: readonly ReactNode[] }[];
}

/** On a phone, the name of a row is above its cells: four columns beside it would not fit. */
const stackedRow = "max-sm:grid max-sm:grid-cols-4";
const stackedCell =
  "text-right tabular-nums max-sm:h-auto max-sm:whitespace-normal max-sm:px-1 max-sm:pb-2 max-sm:text-xs";

export function PlanTable({ plans, current, offersSupport, more = [] }: PlanTableProps) {
  const t = useTranslations("plans");
  const format = useFormatter();
  const priceOf = (offer: PlanSummary["offer"]) => {
    if (!offer) return undefined;
    const { amount, currency, term } = offer;
    const price = format.number(amount, { style: "currency", currency });
    return typeof term === "number"
      ? t("per.prepaid", { price, months: term })
      : t(`per.${term}`, { price, days: trialDays });
  };
  const limit = (value: number | null) => (value === null ? t("unlimited") : format.number(value));
  const rows = [
    ...[...quotaNames, "callsPerMinute" as const].map((name) => ({
      label: t(`names.${name}`),
      cells: plans.map(({ limits }): ReactNode => limit(limits[name])),
    })),
    {
      label: t("names.clicksKept"),
      cells: plans.map(({ limits: { clicksKeptDays } }) =>
        clicksKeptDays === null ? t("asKept") : t("days", { count: clicksKeptDays }),
      ),
    },
    ...capabilityNames
      .filter((name) => name !== "support" || offersSupport)
      .map((name) => ({
        label: t(`capabilities.${name}`),
        cells: plans.map((plan) => (
          <Mark key={plan.name} isOn={plan.capabilities.includes(name)} />
        )),
      })),
    ...more,
  ];
  return (
    <Table caption={t("tableCaption")}>
      <thead>
        <tr className={stackedRow}>
          <TableHead className="w-1/3 max-sm:hidden">
            <span className="sr-only">{t("columnIncluded")}</span>
          </TableHead>
          {plans.map(({ name }) => (
            <TableHead
              key={name}
              className="text-right text-ink text-sm max-sm:h-auto max-sm:px-1 max-sm:py-2 max-sm:text-xs"
            >
              <span className="inline-flex items-center gap-1.5 max-sm:flex-col max-sm:items-end">
                {name === current ? <Badge tone="green">{t("current")}</Badge> : null}
                {t(`planNames.${name}`)}
              </span>
            </TableHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {plans.some(({ price, offer }) => price !== null || offer !== null) ? (
          <TableRow className={stackedRow}>
            <RowHead>{t("price")}</RowHead>
            {plans.map(({ name, price, offer }) => (
              <TableCell key={name} className={stackedCell}>
                {price ?? priceOf(offer) ?? (
                  <span className="text-ink-muted">{t("askOperator")}</span>
                )}
              </TableCell>
            ))}
          </TableRow>
        ) : null}
        {rows.map(({ label, cells }) => (
          <TableRow key={label} className={stackedRow}>
            <RowHead>{label}</RowHead>
            {plans.map(({ name }, at) => (
              <TableCell key={name} className={stackedCell}>
                {cells[at]}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function Mark({ isOn }: { isOn: boolean }) {
  const t = useTranslations("plans");
  const Icon = isOn ? Check : Minus;
  return (
    <span className="inline-flex">
      <Icon aria-hidden className={isOn ? "size-4 text-accent" : "size-4 text-ink-faint"} />
      <span className="sr-only">{t(isOn ? "included" : "notIncluded")}</span>
    </span>
  );
}

function RowHead({ children }: { children: string }) {
  return (
    <th
      scope="row"
      className="h-11 min-w-32 px-3 py-1.5 text-left font-normal text-ink-muted max-sm:col-span-4 max-sm:h-auto max-sm:px-2"
    >
      {children}
    </th>
  );
}
