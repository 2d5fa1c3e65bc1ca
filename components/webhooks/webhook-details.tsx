import { useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import { camelOf } from "#lib/basics/variants/schema";
import { isChat, type Webhook } from "#lib/outreach/webhooks/schema";
import { findEventType } from "#lib/tenancy/webhook-events/schema";

/** The names of filters, by their ids; those of deleted objects are missing. */
export type FilterLabels = Readonly<Record<string, string>>;

interface WebhookDetailsProps {
  webhook: Webhook;
  labels: FilterLabels;
}

/** What a webhook gets, and how. */
export function WebhookDetails({ webhook, labels }: WebhookDetailsProps) {
  const t = useTranslations("webhooks");
  const { url, events, domains, folderIds, tagIds, chosenLinks, ordered, language } = webhook;
  const listed = (names: readonly string[]) => names.join(" · ");
  const named = (ids: readonly string[]) => listed(ids.map((id) => labels[id] ?? t("deletedName")));
  const chat = isChat(webhook.format);
  const rows: (readonly [string, string])[] = [
    [t("format"), t(`formats.${webhook.format}`)],
    // The path of a chat’s URL is a secret.
    [t("url"), chat ? `${new URL(url).origin}/…` : url],
    [
      t("eventsLabel"),
      listed(
        events.map((type) => {
          const known = findEventType(type);
          return known ? t(`events.${camelOf(known)}`) : type;
        }),
      ),
    ],
    ...(domains.length > 0 ? [[t("domains"), listed(domains)] as const] : []),
    ...(folderIds.length > 0 ? [[t("folders"), named(folderIds)] as const] : []),
    ...(tagIds.length > 0 ? [[t("tags"), named(tagIds)] as const] : []),
    ...(chosenLinks ? [[t("linksLabel"), t("chosenLinks")] as const] : []),
    ...(ordered ? [[t("orderLabel"), t("ordered")] as const] : []),
    ...(chat ? [[t("language"), t(`languages.${language}`)] as const] : []),
  ];
  return (
    <Card heading={t("details")}>
      <dl className="grid gap-3 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="grid gap-0.5 sm:grid-cols-[10rem_minmax(0,1fr)] sm:gap-3">
            <dt className="text-ink-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
