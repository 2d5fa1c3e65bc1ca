"use client";

import { useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import type { FormAnswer } from "../forms/form.tsx";
import { Card } from "../ui/card.tsx";
import { Select } from "../ui/select.tsx";
import { toast } from "../ui/toast.tsx";

interface DomainChoiceProps {
  initial: string;
  hosts: readonly string[];
  choose: (host: string) => Promise<FormAnswer<null>>;
}

/** The domain on which links are made that name none. */
export function DomainChoice({ initial, hosts, choose }: DomainChoiceProps) {
  const t = useTranslations("settings");
  const errors = useTranslations("errors");
  const [chosen, show] = useOptimistic(initial, (_before, host: string) => host);

  function run(host: string) {
    startTransition(async () => {
      show(host);
      const answer = await choose(host).catch(() => undefined);
      if (answer?.ok) toast.success(t("domainSaved", { domain: host }));
      else toast.error(errors(answer?.form ?? "unknown", { min: 0, max: 0 }));
    });
  }

  return (
    <Card heading={t("domain")} note={t("domainHint")}>
      <Select
        aria-label={t("domain")}
        className="max-w-sm"
        value={chosen}
        onValueChange={run}
        options={hosts.map((host) => ({ value: host, label: host }))}
      />
    </Card>
  );
}
