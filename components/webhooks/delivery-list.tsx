"use client";

import { ChevronRight, RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";
import { camelOf } from "#lib/basics/variants/schema";
import { type Delivery, deliveryStates } from "#lib/outreach/webhooks/schema";
import { findEventType } from "#lib/tenancy/webhook-events/schema";
import { CodeBlock } from "./code-block.tsx";

interface DeliveryListProps {
  deliveries: readonly Delivery[];
  zone: string;
  /** Whether the webhook is active, so that waiting deliveries can change. */
  live: boolean;
  /** Chats get several events in one message. */
  chat: boolean;
  resend: ((eventId: string) => Promise<FormAnswer<null>>) | null;
}

const refreshEveryMs = 5_000;
const tones = { waiting: "yellow", delivered: "green", failed: "red" } as const;

/** Deliveries with their requests and responses. Refreshed while some of them are waiting. */
export function DeliveryList({ deliveries, zone, live, chat, resend }: DeliveryListProps) {
  const t = useTranslations("webhooks");
  const router = useRouter();
  const isWaiting = live && deliveries.some(({ state }) => state === "waiting");
  useVisibleInterval(isWaiting ? refreshEveryMs : undefined, () => router.refresh());
  return (
    <ol aria-label={t("deliveries")} className="rounded-xl border border-line bg-surface">
      {deliveries.map((delivery) => (
        <li key={delivery.id} className="border-line border-b last:border-b-0">
          <details className="group">
            <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-sm [&::-webkit-details-marker]:hidden">
              <Summary delivery={delivery} zone={zone} />
            </summary>
            <Details delivery={delivery} zone={zone} chat={chat} resend={resend} />
          </details>
        </li>
      ))}
    </ol>
  );
}

function useMoment(zone: string) {
  const format = useFormatter();
  return (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "medium", timeZone: zone });
}

function Summary({ delivery, zone }: { delivery: Delivery; zone: string }) {
  const t = useTranslations("webhooks");
  const moment = useMoment(zone);
  const { type, state, attempts, createdAt, lastAttempt } = delivery;
  const known = deliveryStates.find((one) => one === state) ?? "waiting";
  const event = findEventType(type);
  const facts = [
    ...(lastAttempt
      ? [
          lastAttempt.status === null
            ? t("noResponse")
            : t("status", { status: String(lastAttempt.status) }),
          t("duration", { ms: lastAttempt.ms }),
        ]
      : []),
    t("attempts", { count: attempts }),
  ];
  return (
    <>
      <ChevronRight
        aria-hidden
        className="size-4 shrink-0 text-ink-faint transition-transform group-open:rotate-90"
      />
      <Badge tone={tones[known]}>{t(`deliveryStates.${known}`)}</Badge>
      <span className="font-medium">{event ? t(`events.${camelOf(event)}`) : type}</span>
      <span className="text-ink-muted text-xs">{facts.join(" · ")}</span>
      <time dateTime={createdAt} className="ml-auto text-ink-muted text-xs">
        {moment(createdAt)}
      </time>
    </>
  );
}

interface DetailsProps extends Omit<DeliveryListProps, "deliveries" | "live"> {
  delivery: Delivery;
}

function Details({ delivery, zone, chat, resend }: DetailsProps) {
  const t = useTranslations("webhooks");
  const moment = useMoment(zone);
  const { id, nextAttemptAt, lastAttempt, request } = delivery;
  return (
    <div className="grid min-w-0 gap-3 px-4 pb-4 text-sm">
      <dl className="grid gap-x-6 gap-y-1 text-xs sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="text-ink-muted">{t("eventId")}</dt>
        <dd className="break-all font-mono">{id}</dd>
        {lastAttempt ? (
          <>
            <dt className="text-ink-muted">{t("lastAttempt")}</dt>
            <dd>{moment(lastAttempt.at)}</dd>
          </>
        ) : null}
        {nextAttemptAt ? (
          <>
            <dt className="text-ink-muted">{t("nextAttempt")}</dt>
            <dd>{moment(nextAttemptAt)}</dd>
          </>
        ) : null}
      </dl>
      {chat ? <p className="text-ink-muted text-xs">{t("groupedNote")}</p> : null}
      <CodeBlock label={t("request")} text={request} />
      {lastAttempt ? (
        lastAttempt.response ? (
          <CodeBlock label={t("response")} text={lastAttempt.response} />
        ) : (
          <p className="text-ink-muted text-xs">
            {t(lastAttempt.status === null ? "unreachable" : "emptyResponse")}
          </p>
        )
      ) : null}
      {resend ? <ResendButton resend={() => resend(id)} /> : null}
    </div>
  );
}

function ResendButton({ resend }: { resend: () => Promise<FormAnswer<null>> }) {
  const t = useTranslations("webhooks");
  const runAction = useAction();
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      if (await runAction(resend)) toast.success(t("resent"));
    });
  return (
    <div>
      <Button size="sm" pending={pending} onClick={run}>
        <RotateCw aria-hidden />
        {t("resend")}
      </Button>
    </div>
  );
}
