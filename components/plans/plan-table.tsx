import { useFormatter, useTranslations } from "next-intl";
import { Badge } from "../ui/badge.tsx";
import { Table, TableCell, TableHead, TableRow } from "../ui/table.tsx";

const included = ["links", "domains", "tags", "folders", "members", "apiKeys"] as const;

/** The quotas of a plan; null is unlimited. */
export interface PlanSummary {
  name: "free" | "trial" | "personal" | "enterprise";
  /** The operator's text; null: none. */
  price: string | null;
  quotas: Readonly<Record<(typeof included)[number], number | null>>;
  callsPerMinute: number | null;
  clicksKeptDays: number | null;
}

interface PlanTableProps {
  plans: readonly PlanSummary[];
  /** The reader's plan. */
  current?: string;
}

/** The plans side by side, from the table that enforces their limits. */
export function PlanTable({ plans, current }: PlanTableProps) {
  const t = useTranslations("plans");
  const format = useFormatter();
  const limit = (value: number | null) => (value === null ? t("unlimited") : format.number(value));
  const rows = [
    ...included.map((name) => ({
      label: t(`names.${name}`),
      cells: plans.map(({ quotas }) => limit(quotas[name])),
    })),
    {
      label: t("names.callsPerMinute"),
      cells: plans.map(({ callsPerMinute }) => limit(callsPerMinute)),
    },
    {
      label: t("names.clicksKept"),
      cells: plans.map(({ clicksKeptDays }) =>
        clicksKeptDays === null ? t("asKept") : t("days", { count: clicksKeptDays }),
      ),
    },
  ];
  return (
    <Table caption={t("tableCaption")}>
      <thead>
        <tr>
          <TableHead className="w-1/3">
            <span className="sr-only">{t("columnIncluded")}</span>
          </TableHead>
          {plans.map(({ name }) => (
            <TableHead key={name} className="text-right text-ink text-sm">
              <span className="inline-flex items-center gap-1.5">
                {name === current ? <Badge tone="green">{t("current")}</Badge> : null}
                {t(`planNames.${name}`)}
              </span>
            </TableHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {plans.some(({ price }) => price !== null) ? (
          <TableRow>
            <RowHead>{t("price")}</RowHead>
            {plans.map(({ name, price }) => (
              <TableCell key={name} className="text-right">
                {price ?? <span className="text-ink-muted">{t("askOperator")}</span>}
              </TableCell>
            ))}
          </TableRow>
        ) : null}
        {rows.map(({ label, cells }) => (
          <TableRow key={label}>
            <RowHead>{label}</RowHead>
            {plans.map(({ name }, at) => (
              <TableCell key={name} className="text-right tabular-nums">
                {cells[at]}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function RowHead({ children }: { children: string }) {
  return (
    <th scope="row" className="h-11 min-w-32 px-3 text-left font-normal text-ink-muted">
      {children}
    </th>
  );
}
