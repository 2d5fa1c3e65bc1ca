"use client";

import { useTranslations } from "next-intl";
import { Badge } from "#components/ui/badge";
import { Card } from "#components/ui/card";
import { DropDialog, type FactorActions, RenewDialog, SetUpDialog } from "./factor-dialog.tsx";

interface FactorCardProps extends FactorActions {
  on: boolean;
  recoveryLeft: number;
}

export function FactorCard({ on, recoveryLeft, ...actions }: FactorCardProps) {
  const t = useTranslations("security");
  return (
    <Card
      heading={t("factor")}
      note={on ? t("factorLeft", { left: recoveryLeft }) : t("factorText")}
      aside={<Badge tone={on ? "green" : "gray"}>{t(on ? "factorOn" : "factorOff")}</Badge>}
    >
      <div className="flex flex-wrap gap-2">
        <SetUpDialog on={on} begin={actions.begin} confirm={actions.confirm} />
        {on ? <RenewDialog renew={actions.renew} /> : null}
        {on ? <DropDialog drop={actions.drop} /> : null}
      </div>
    </Card>
  );
}
