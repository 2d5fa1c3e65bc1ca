import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { customerName } from "#components/customers/customer-names.ts";
import type { TimelineEvent } from "#components/customers/customer-timeline";
import { CustomerView } from "#components/customers/customer-view";
import { BackLink } from "#components/shell/back-link";
import { getCustomer } from "#lib/analytics/customers";
import { listEvents } from "#lib/analytics/reports";
import { eventsQuery } from "#lib/analytics/reports/schema";
import { config } from "#lib/platform/config";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { orMissing, type PageOf, Texts } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { eraseCustomerAction } from "../actions.ts";

const openCustomer = cache(async (workspace: string, id: string) => {
  const scope = await requireScope(workspace);
  return { scope, customer: await orMissing(getCustomer(scope, id)) };
});

export async function generateMetadata({ params }: PageOf<"workspace" | "id">): Promise<Metadata> {
  const { workspace, id } = await params;
  return { title: customerName((await openCustomer(workspace, id)).customer) };
}

export default async function CustomerPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const { scope, customer } = await openCustomer(workspace, id);
  const [t, events] = await Promise.all([
    getTranslations("customers"),
    listTimeline(scope, customer.id),
  ]);
  const path = `/app/${workspace}/customers`;
  const mayErase =
    scope.permissions.has("conversions.write") && scope.permissions.has("people.view");
  return (
    <Texts of={["customers"]}>
      <BackLink href={path}>{t("heading")}</BackLink>
      <CustomerView
        customer={customer}
        events={events}
        zone={scope.zone}
        currency={config().FUXI_CURRENCY}
        path={path}
        linksPath={`/app/${workspace}/links`}
        erase={mayErase ? eraseCustomerAction.bind(null, workspace, customer.id) : null}
      />
    </Texts>
  );
}

async function listTimeline(scope: WorkspaceScope, customerId: string): Promise<TimelineEvent[]> {
  const asked = { customerId, interval: "all", verification: "all" };
  const found = await Promise.all(
    ["leads", "sales"].map((event) => listEvents(scope, eventsQuery.parse({ ...asked, event }))),
  );
  const events = found.flat().flatMap((event): TimelineEvent[] => {
    if (event.event === "click") return [];
    const { eventId: id, eventName: name, timestamp: at, verified } = event;
    const sale = event.event === "sale" ? event.sale : undefined;
    const currency = sale?.currency ?? config().FUXI_CURRENCY;
    const { shortLink } = event.link;
    return [
      { id, kind: event.event, name, at, shortLink, amount: sale?.amount ?? 0, currency, verified },
    ];
  });
  return events.sort((one, other) => other.at.localeCompare(one.at));
}
