import { useTranslations } from "next-intl";
import { useId } from "react";
import { Checkbox } from "#components/ui/checkbox";
import { camelOf } from "#lib/basics/variants/schema";
import type { WebhookFormat } from "#lib/outreach/webhooks/schema";
import { eventGroups, listEvents, type WebhookEventType } from "#lib/tenancy/webhook-events/schema";
import { offersEvent } from "./webhook-draft.ts";

interface EventFieldsProps {
  format: WebhookFormat;
  events: readonly WebhookEventType[];
  onEvents: (events: WebhookEventType[]) => void;
  error: string | undefined;
}

/** The events of a webhook, by what they are about. */
export function EventFields({ format, events, onEvents, error }: EventFieldsProps) {
  const t = useTranslations("webhooks");
  const errorId = useId();
  const toggle = (type: WebhookEventType, on: boolean) =>
    onEvents(on ? [...events, type] : events.filter((one) => one !== type));
  return (
    <fieldset className="grid min-w-0 gap-1.5" aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1.5 font-medium text-sm">{t("eventsLabel")}</legend>
      <div className="grid gap-4 rounded-lg border border-line p-3 sm:grid-cols-2">
        {eventGroups.map((group) => (
          <div key={group} className="grid content-start gap-2">
            <p className="font-medium text-ink-muted text-xs">{t(`groups.${group}`)}</p>
            {listEvents(group)
              .filter((type) => offersEvent(format, type))
              .map((type) => (
                <Checkbox
                  key={type}
                  label={t(`events.${camelOf(type)}`)}
                  checked={events.includes(type)}
                  onCheckedChange={(on) => toggle(type, on === true)}
                />
              ))}
          </div>
        ))}
      </div>
      {error ? (
        <p id={errorId} className="text-danger text-sm">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
