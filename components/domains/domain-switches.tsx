"use client";

import { useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Card } from "#components/ui/card";
import { Switch } from "#components/ui/switch";
import type { DomainView } from "#lib/links/domains/schema";

interface SwitchValues {
  primary: boolean;
  archived: boolean;
  caseInsensitive: boolean;
  trackConversion: boolean;
}

interface DomainSwitchesProps {
  domain: DomainView;
  edit: (change: Partial<SwitchValues>) => Promise<FormAnswer<null>>;
}

export function DomainSwitches({ domain, edit }: DomainSwitchesProps) {
  const t = useTranslations("domains");
  const runAction = useAction();
  const saved: SwitchValues = {
    primary: domain.primary,
    archived: domain.archived,
    caseInsensitive: domain.caseInsensitive ?? false,
    trackConversion: domain.trackConversion ?? false,
  };
  const [shown, show] = useOptimistic(saved, (before, change: Partial<SwitchValues>) => ({
    ...before,
    ...change,
  }));

  function turn(change: Partial<SwitchValues>) {
    startTransition(async () => {
      show(change);
      await runAction(() => edit(change));
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
        label={t("trackLabel")}
        hint={t("trackHint")}
        checked={shown.trackConversion}
        onCheckedChange={(trackConversion) => turn({ trackConversion })}
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
