"use client";

import { useTranslations } from "next-intl";
import { everything, useUrlFilters } from "#components/shell/url-filters";
import { Select } from "#components/ui/select";
import { Spinner } from "#components/ui/spinner";
import { camelOf } from "#lib/basics/variants/schema";
import { deliveryStates } from "#lib/outreach/webhooks/schema";
import { webhookEventTypes } from "#lib/tenancy/webhook-events/schema";

/** Which deliveries are listed; in the URL as `state` and `event`. */
export function DeliveryFilters() {
  const t = useTranslations("webhooks");
  const { pending, select } = useUrlFilters();
  return (
    <search className="flex flex-wrap items-center gap-2">
      <Select
        aria-label={t("deliveryState")}
        className="w-auto min-w-32"
        {...select("state")}
        options={[
          { value: everything, label: t("anyState") },
          ...deliveryStates.map((value) => ({ value, label: t(`deliveryStates.${value}`) })),
        ]}
      />
      <Select
        aria-label={t("deliveryEvent")}
        className="w-auto min-w-32"
        {...select("event")}
        options={[
          { value: everything, label: t("anyEvent") },
          ...webhookEventTypes.map((value) => ({ value, label: t(`events.${camelOf(value)}`) })),
        ]}
      />
      {pending ? <Spinner /> : null}
    </search>
  );
}
