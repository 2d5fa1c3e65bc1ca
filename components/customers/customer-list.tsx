"use client";

import { ContactRound } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { useMoney } from "#components/analytics/money.ts";
import type { FormAnswer } from "#components/forms/form";
import { withoutScheme } from "#components/links/names.ts";
import { ListPages } from "#components/shell/list-pages";
import { PageHead } from "#components/shell/page-head";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { DataTable } from "#components/ui/data-table";
import { EmptyState } from "#components/ui/empty-state";
import type { ListedCustomer } from "#lib/analytics/customers/schema";
import { ExactSearch } from "../named/exact-search.tsx";
import { customerName } from "./customer-names.ts";

interface CustomerListProps {
  customers: readonly ListedCustomer[];
  path: string;
  zone: string;
  currency: string;
  pages: { first: string | undefined; next: string | undefined };
  find: (externalId: string) => Promise<FormAnswer<ListedCustomer | null>>;
}

export function CustomerList(props: CustomerListProps) {
  const { customers, pages, find } = props;
  const t = useTranslations("customers");
  const [found, setFound] = useState<ListedCustomer>();
  const isUsed = customers.length > 0 || pages.first !== undefined;
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")} />
      {isUsed ? (
        <>
          <ExactSearch messages="customers" search={find} onFound={setFound} />
          <CustomerTable {...props} customers={found ? [found] : customers} />
          {found ? null : <ListPages {...pages} newest={t("newest")} older={t("older")} />}
        </>
      ) : (
        <EmptyState icon={<ContactRound aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}{" "}
          <a href="/docs/conversions" className="text-accent underline">
            {t("learn")}
          </a>
        </EmptyState>
      )}
    </>
  );
}

function CustomerTable({ customers, path, zone, currency }: CustomerListProps) {
  const t = useTranslations("customers");
  const format = useFormatter();
  const money = useMoney(currency);
  return (
    <DataTable
      caption={t("heading")}
      rows={customers}
      columns={[
        {
          heading: t("customer"),
          cellClass: "max-w-56 font-medium",
          cell: (customer) => (
            <PrefetchLink
              href={`${path}/${customer.id}`}
              className="block truncate hover:text-accent hover:underline"
            >
              {customerName(customer)}
            </PrefetchLink>
          ),
        },
        {
          heading: t("firstLink"),
          className: "hidden md:table-cell",
          cellClass: "max-w-56 truncate text-ink-muted",
          cell: ({ link }) => (link ? withoutScheme(link.shortLink) : "–"),
        },
        {
          heading: t("country"),
          className: "hidden lg:table-cell",
          cellClass: "text-ink-muted",
          cell: ({ country }) => country ?? "–",
        },
        {
          heading: t("sales"),
          headClass: "text-right",
          cellClass: "text-right tabular-nums",
          cell: ({ sales }) => format.number(sales),
        },
        {
          heading: t("revenue"),
          headClass: "text-right",
          cellClass: "text-right tabular-nums",
          cell: ({ saleAmount }) => money(saleAmount),
        },
        {
          heading: t("since"),
          className: "hidden sm:table-cell",
          headClass: "text-right",
          cellClass: "text-right text-ink-muted",
          cell: ({ createdAt }) =>
            format.dateTime(new Date(createdAt), { dateStyle: "medium", timeZone: zone }),
        },
      ]}
    />
  );
}
