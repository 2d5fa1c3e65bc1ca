"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useRefreshWhile } from "#components/shell/refresh.ts";
import type { CampaignStatus } from "#lib/outreach/campaigns/schema";
import { SendProgress } from "./send-progress.tsx";
import { useRecipientProblem } from "./source-part.ts";

export function CampaignFigures({ status }: { status: CampaignStatus }) {
  const t = useTranslations("recipients.figures");
  const format = useFormatter();
  const { recipients, clicked, parts, partsSaved, cost, costSaved, currency, sending } = status;
  useRefreshWhile(sending.state === "sending");
  const money = (amount: string | null) => (amount === null ? null : `${amount} ${currency ?? ""}`);
  const rate = recipients > 0 ? clicked / recipients : 0;
  const percent = format.number(rate, { style: "percent", maximumFractionDigits: 1 });
  const figures = [
    { name: t("recipients"), value: format.number(recipients), note: null },
    { name: t("clicked"), value: format.number(clicked), note: recipients > 0 ? percent : null },
    { name: t("parts"), value: format.number(parts), note: null },
    ...(cost === null ? [] : [{ name: t("cost"), value: money(cost), note: null }]),
    ...(partsSaved === 0
      ? []
      : [
          {
            name: t("saved"),
            value: t("savedParts", { count: partsSaved }),
            note: money(costSaved),
          },
        ]),
  ];
  return (
    <section
      aria-label={t("label")}
      className="grid gap-4 rounded-xl border border-line bg-surface p-4"
    >
      <dl className="flex flex-wrap gap-x-10 gap-y-4">
        {figures.map(({ name, value, note }) => (
          <div key={name} className="grid content-start gap-0.5">
            <dt className="text-ink-muted text-xs">{name}</dt>
            <dd className="font-semibold text-lg tabular-nums">
              {value}
              {note === null ? null : (
                <span className="ml-1.5 font-normal text-ink-muted text-sm">{note}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {sending.state === "draft" ? null : (
        <SendProgress sends={sending.counts} recipients={recipients} />
      )}
      <RefusedReasons refused={status.refused} />
    </section>
  );
}

interface RefusedReasonsProps extends Pick<CampaignStatus, "refused"> {
  open?: boolean;
}

/** The rows that got no message when recipients were added, by reason. */
export function RefusedReasons({ refused, ...details }: RefusedReasonsProps) {
  const t = useTranslations("recipients.figures");
  const say = useRecipientProblem();
  if (refused.length === 0) return null;
  const count = refused.reduce((sum, { rows }) => sum + rows, 0);
  return (
    <details {...details} className="text-sm">
      <summary className="cursor-pointer text-ink-muted">{t("refused", { count })}</summary>
      <ul className="mt-2 grid gap-1">
        {refused.map(({ code, rows }) => (
          <li key={code} className="flex gap-2">
            <span className="w-12 shrink-0 text-right font-medium tabular-nums">{rows}</span>
            <span className="min-w-0 break-words">{say(code, null)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
