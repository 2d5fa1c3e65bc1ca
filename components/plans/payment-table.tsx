import { useFormatter, useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { planNames } from "#lib/platform/config/schema";

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

/** Payments that are no subscription: invoices, the trial and prepaid terms. */
export function PaymentTable({ payments, zone }: PaymentTableProps) {
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
