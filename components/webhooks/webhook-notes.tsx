import { CircleAlert, CirclePause } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { keptDays, type Webhook } from "#lib/outreach/webhooks/schema";
import { stateOf } from "./webhook-state.tsx";

interface WebhookNotesProps {
  webhook: Webhook;
  zone: string;
}

/** Why a webhook gets no events, or lost some. */
export function WebhookNotes({ webhook, zone }: WebhookNotesProps) {
  const t = useTranslations("webhooks");
  const format = useFormatter();
  const state = stateOf(webhook);
  const since =
    webhook.failingSince &&
    format.dateTime(new Date(webhook.failingSince), {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: zone,
    });
  const reason = webhook.disabledReason === "gone" ? "gone" : "failing";
  return (
    <div className="mb-5 grid gap-3 empty:hidden">
      {state === "paused" ? (
        <p className={noteClass}>
          <CirclePause aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-muted" />
          {t("pausedNote", { days: keptDays })}
        </p>
      ) : null}
      {state === "failing" && since ? (
        <Problem text={t("failingNote", { since, days: keptDays })} />
      ) : null}
      {state === "disabled" ? (
        <Problem text={t(`disabledNotes.${reason}`, { days: keptDays })} />
      ) : null}
      {webhook.dropped > 0 ? <Problem text={t("dropped", { count: webhook.dropped })} /> : null}
    </div>
  );
}

const noteClass = "flex gap-2 rounded-xl border border-line bg-sunken p-4 text-sm";

function Problem({ text }: { text: string }) {
  return (
    <p className={noteClass}>
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      {text}
    </p>
  );
}
