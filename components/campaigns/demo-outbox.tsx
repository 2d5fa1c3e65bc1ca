"use client";

import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import { Card } from "#components/ui/card";
import { type DemoMessage, keptDays, messagesMax } from "#lib/outreach/demo-outbox/schema";

const refreshEveryMs = 3_000;

/** The messages that the demo received instead of sending them, newest first. */
export function DemoOutbox({ messages }: { messages: readonly DemoMessage[] }) {
  const t = useTranslations("gateways.outbox");
  const format = useFormatter();
  const router = useRouter();
  useVisibleInterval(refreshEveryMs, () => router.refresh());
  return (
    <section className="mt-4">
      <Card heading={t("heading")} note={t("note", { days: keptDays, max: messagesMax })}>
        {messages.length === 0 ? (
          <p className="text-ink-muted text-sm">{t("empty")}</p>
        ) : (
          <ul aria-label={t("heading")} className="grid divide-y divide-line text-sm">
            {messages.map(({ id, phone, text, sentAt }) => (
              <li key={id} className="grid gap-1 py-3 first:pt-0 last:pb-0">
                <p className="flex flex-wrap justify-between gap-x-4 text-ink-muted">
                  <span className="tabular-nums">{phone}</span>
                  <time dateTime={sentAt}>
                    {format.dateTime(new Date(sentAt), {
                      dateStyle: "medium",
                      timeStyle: "medium",
                    })}
                  </time>
                </p>
                <p className="whitespace-pre-wrap break-words">{text ?? t("hidden")}</p>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  );
}
