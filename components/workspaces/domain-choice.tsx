"use client";

import { useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import type { FormAnswer } from "#components/forms/form";
import { useAction } from "#components/forms/use-action.ts";
import { Card } from "#components/ui/card";
import { Select } from "#components/ui/select";
import { toast } from "#components/ui/toast";

interface DomainChoiceProps {
  initial: string;
  hosts: readonly string[];
  choose: (host: string) => Promise<FormAnswer<null>>;
}

/** The default domain of new links. */
export function DomainChoice({ initial, hosts, choose }: DomainChoiceProps) {
  const t = useTranslations("settings");
  const runAction = useAction();
  const [chosen, show] = useOptimistic(initial, (_before, host: string) => host);

  function run(host: string) {
    startTransition(async () => {
      show(host);
      if (await runAction(() => choose(host))) toast.success(t("domainSaved", { domain: host }));
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
