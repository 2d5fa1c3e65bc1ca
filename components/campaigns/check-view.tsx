"use client";

import { useTranslations } from "next-intl";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { segmentsOf } from "#lib/outreach/segments";
import { PhoneMessage, SegmentFacts } from "./message-preview.tsx";
import type { CheckProps } from "./send-actions.ts";
import { SendExport } from "./send-export.tsx";
import { SendSetup } from "./send-setup.tsx";
import { SendTest } from "./send-test.tsx";

/** What will be sent, how and when. Nothing is sent before the number of messages is confirmed. */
export function CheckView(props: CheckProps) {
  const { workspace, campaign, status, sample, gateways, isOn, mayView, actions } = props;
  const hasRecipients = status.recipients > 0;
  const isReady = hasRecipients && gateways.length > 0 && campaign.erasedAt === null;
  return (
    <div className="grid items-start gap-x-6 gap-y-4 min-[1100px]:grid-cols-[minmax(0,1fr)_19rem] min-[1100px]:grid-rows-[auto_1fr]">
      <div className="grid min-w-0">
        {actions && !isReady ? <CheckProblems {...props} /> : null}
        {actions && isReady ? <SendSetup {...props} actions={actions} /> : null}
      </div>
      {hasRecipients ? <RealMessage campaign={campaign} sample={sample} mayView={mayView} /> : null}
      <div className="grid min-w-0 gap-4">
        {actions && isReady && mayView && isOn ? (
          <SendTest gateways={gateways} test={actions.test} />
        ) : null}
        {hasRecipients ? (
          <SendExport workspace={workspace} id={campaign.id} mayView={mayView} />
        ) : null}
      </div>
    </div>
  );
}

/** Everything that keeps the campaign from being sent, each with the place where it is solved. */
function CheckProblems({ workspace, campaign, status, gateways }: CheckProps) {
  const t = useTranslations("sending.blocked");
  const base = `/app/${workspace}`;
  const problems = [
    {
      name: "recipients",
      isOpen: status.recipients === 0,
      href: `campaigns/${campaign.id}/recipients`,
    },
    { name: "gateway", isOpen: gateways.length === 0, href: "settings/gateways" },
    { name: "erased", isOpen: campaign.erasedAt !== null, href: "campaigns/new" },
  ] as const;
  return (
    <Card heading={t("heading")}>
      <ul className="grid gap-3">
        {problems
          .filter(({ isOpen }) => isOpen)
          .map(({ name, href }) => (
            <li key={name} className="flex flex-wrap items-center justify-between gap-2 text-sm">
              <p className="max-w-prose">{t(`problems.${name}`)}</p>
              <Button asChild>
                <PrefetchLink href={`${base}/${href}`}>{t(`actions.${name}`)}</PrefetchLink>
              </Button>
            </li>
          ))}
      </ul>
    </Card>
  );
}

function RealMessage({
  campaign,
  sample,
  mayView,
}: Pick<CheckProps, "campaign" | "sample" | "mayView">) {
  const t = useTranslations("sending");
  const recipients = useTranslations("recipients");
  const country = sample?.country ?? "";
  const segments = segmentsOf(sample?.text ?? "", country);
  return (
    <section
      aria-label={t("realMessage")}
      className="grid content-start gap-4 rounded-xl border border-line bg-sunken p-4 text-sm min-[1100px]:row-span-2"
    >
      {sample ? (
        <>
          <PhoneMessage sender={campaign.senderName ?? ""} parts={segments.parts} />
          <p className="text-ink-muted">{t("realMessageOf", { phone: sample.phone ?? "" })}</p>
          <dl className="grid grid-cols-2 gap-x-4 gap-y-2 tabular-nums">
            <SegmentFacts segments={segments} country={country} />
          </dl>
        </>
      ) : (
        <p className="text-ink-muted">{mayView ? t("noRealMessage") : recipients("hiddenText")}</p>
      )}
    </section>
  );
}
