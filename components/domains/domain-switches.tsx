"use client";

import { useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import type { DomainView } from "#lib/domains/schema";
import type { FormAnswer } from "../forms/form.tsx";
import { Card } from "../ui/card.tsx";
import { Switch } from "../ui/switch.tsx";
import { toast } from "../ui/toast.tsx";

interface Choices {
  primary: boolean;
  archived: boolean;
  caseInsensitive: boolean;
}

interface DomainSwitchesProps {
  domain: DomainView;
  act: (change: Partial<Choices>) => Promise<FormAnswer<null>>;
}

export function DomainSwitches({ domain, act }: DomainSwitchesProps) {
  const t = useTranslations("domains");
  const errors = useTranslations("errors");
  const saved: Choices = {
    primary: domain.primary,
    archived: domain.archived,
    caseInsensitive: domain.caseInsensitive ?? false,
  };
  const [shown, show] = useOptimistic(saved, (before, change: Partial<Choices>) => ({
    ...before,
    ...change,
  }));

  function turn(change: Partial<Choices>) {
    startTransition(async () => {
      show(change);
      const answer = await act(change).catch(() => undefined);
      if (!answer?.ok) toast.error(errors(answer?.form ?? "unknown", { min: 0, max: 0 }));
    });
  }

  return (
    <Card heading={t("use")}>
      <Switch
        label={t("primaryLabel")}
        hint={domain.verified ? t("primaryHint") : t("primaryLater")}
        checked={shown.primary}
        disabled={!domain.verified && !shown.primary}
        onCheckedChange={(primary) => turn({ primary })}
      />
      <Switch
        label={t("caseLabel")}
        hint={t("caseHint")}
        checked={shown.caseInsensitive}
        onCheckedChange={(caseInsensitive) => turn({ caseInsensitive })}
      />
      <Switch
        label={t("archivedLabel")}
        hint={t("archivedHint")}
        checked={shown.archived}
        onCheckedChange={(archived) => turn({ archived })}
      />
    </Card>
  );
}
