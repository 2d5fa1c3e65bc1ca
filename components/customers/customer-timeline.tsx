"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useMoney } from "#components/analytics/money.ts";
import { withoutScheme } from "#components/links/names.ts";
import type { ListedCustomer } from "#lib/analytics/customers/schema";

export interface TimelineEvent {
  id: string;
  kind: "lead" | "sale";
  name: string;
  at: string;
  shortLink: string;
  amount: number;
  currency: string;
  verified: boolean;
}

interface CustomerTimelineProps {
  customer: ListedCustomer;
  events: readonly TimelineEvent[];
  zone: string;
}

export function CustomerTimeline({ customer, events, zone }: CustomerTimelineProps) {
  const t = useTranslations("customers");
  const { link, createdAt } = customer;
  return (
    <ol aria-label={t("timeline")} className="grid gap-4">
      {events.map((event) => (
        <li key={event.id} className="grid gap-0.5 border-line border-l-2 pl-3 text-sm">
          <EventLine event={event} />
          <EventNote at={event.at} zone={zone} shortLink={event.shortLink} />
        </li>
      ))}
      <li className="grid gap-0.5 border-line border-l-2 pl-3 text-sm">
        <span className="font-medium">{t("created")}</span>
        <EventNote at={createdAt} zone={zone} shortLink={link?.shortLink} />
      </li>
    </ol>
  );
}

function EventLine({ event }: { event: TimelineEvent }) {
  const t = useTranslations("customers");
  const money = useMoney(event.currency);
  const { kind, name, amount, verified } = event;
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-ink-muted">{t(`kinds.${kind}`)}</span>
      <span className="min-w-0 break-words font-medium">{name}</span>
      {kind === "sale" ? <span className="font-medium tabular-nums">{money(amount)}</span> : null}
      {verified ? null : <span className="text-ink-muted text-xs">{t("unverified")}</span>}
    </span>
  );
}

interface EventNoteProps {
  at: string;
  zone: string;
  shortLink: string | undefined;
}

function EventNote({ at, zone, shortLink }: EventNoteProps) {
  const format = useFormatter();
  const moment = format.dateTime(new Date(at), {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: zone,
  });
  return (
    <span className="text-ink-muted text-xs">
      <time dateTime={at}>{moment}</time>
      {shortLink ? ` · ${withoutScheme(shortLink)}` : null}
    </span>
  );
}
