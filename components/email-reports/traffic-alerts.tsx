"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { SelectField } from "#components/ui/labeled";
import { toast } from "#components/ui/toast";
import { fallPercents, riseTimes, type TrafficAlert } from "#lib/analytics/traffic-alerts/schema";

interface TrafficAlertsProps {
  alert: TrafficAlert;
  webhooks: string;
  save: (alert: TrafficAlert) => Promise<FormAnswer<null>>;
}

const off = "off";

function chosen(text: string): number | null {
  return text === off ? null : Number(text);
}

export function TrafficAlerts({ alert, webhooks, save }: TrafficAlertsProps) {
  const t = useTranslations("trafficAlerts");
  const runAction = useAction();
  const [draft, setDraft] = useState(alert);
  const [pending, setPending] = useState(false);

  async function submit() {
    setPending(true);
    const saved = await runAction(() => save(draft));
    setPending(false);
    if (saved) toast.success(t("saved"));
  }

  return (
    <div className="mt-8">
      <Card heading={t("heading")} note={t("note")}>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t("rise")}
            value={String(draft.riseTimes ?? off)}
            onValueChange={(value) => setDraft({ ...draft, riseTimes: chosen(value) })}
            options={[
              { value: off, label: t("off") },
              ...riseTimes.map((times) => ({ value: `${times}`, label: t("riseOf", { times }) })),
            ]}
          />
          <SelectField
            label={t("fall")}
            value={String(draft.fallPercent ?? off)}
            onValueChange={(value) => setDraft({ ...draft, fallPercent: chosen(value) })}
            options={[
              { value: off, label: t("off") },
              ...fallPercents.map((percent) => ({
                value: `${percent}`,
                label: t("fallOf", { percent }),
              })),
            ]}
          />
        </div>
        <div>
          <Button variant="solid" pending={pending} onClick={() => void submit()}>
            {t("save")}
          </Button>
        </div>
        <p className="max-w-prose text-ink-muted text-sm">
          {t("always")}{" "}
          <Link href={webhooks} className="text-accent underline underline-offset-4">
            {t("webhooks")}
          </Link>
        </p>
      </Card>
    </div>
  );
}
