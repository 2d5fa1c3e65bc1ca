"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useMoney } from "#components/analytics/money.ts";
import type { FormAnswer } from "#components/forms/form";
import { withoutScheme } from "#components/links/names.ts";
import { PageHead } from "#components/shell/page-head";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Card } from "#components/ui/card";
import type { ListedCustomer } from "#lib/analytics/customers/schema";
import { EraseButton } from "../named/erase-button.tsx";
import { Detail } from "../ui/detail.tsx";
import { customerName } from "./customer-names.ts";
import { CustomerTimeline, type TimelineEvent } from "./customer-timeline.tsx";

interface CustomerViewProps {
  customer: ListedCustomer;
  events: readonly TimelineEvent[];
  zone: string;
  currency: string;
  path: string;
  linksPath: string;
  erase: (() => Promise<FormAnswer<null>>) | null;
}

export function CustomerView(props: CustomerViewProps) {
  const { customer, events, zone, erase, path } = props;
  const t = useTranslations("customers");
  const name = customerName(customer);
  return (
    <>
      <PageHead heading={name}>
        {erase ? <EraseButton messages="customers" name={name} erase={erase} path={path} /> : null}
      </PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card heading={t("timeline")}>
          <CustomerTimeline customer={customer} events={events} zone={zone} />
        </Card>
        <Card heading={t("details")}>
          <CustomerDetails {...props} />
        </Card>
      </div>
    </>
  );
}

function CustomerDetails({ customer, zone, currency, linksPath }: CustomerViewProps) {
  const t = useTranslations("customers");
  const format = useFormatter();
  const money = useMoney(currency);
  const { email, externalId, id, country, link, sales, saleAmount, createdAt } = customer;
  const date = format.dateTime(new Date(createdAt), { dateStyle: "medium", timeZone: zone });
  return (
    <dl className="grid gap-3 text-sm">
      {email ? <Detail name={t("email")}>{email}</Detail> : null}
      <Detail name={externalId === id ? t("id") : t("externalId")}>{externalId}</Detail>
      <Detail name={t("country")}>{country ?? "–"}</Detail>
      <Detail name={t("firstLink")}>
        {link ? (
          <PrefetchLink href={`${linksPath}/${link.id}`} className="text-accent underline">
            {withoutScheme(link.shortLink)}
          </PrefetchLink>
        ) : (
          "–"
        )}
      </Detail>
      <Detail name={t("sales")}>{format.number(sales)}</Detail>
      <Detail name={t("revenue")}>{money(saleAmount)}</Detail>
      <Detail name={t("since")}>{date}</Detail>
    </dl>
  );
}
