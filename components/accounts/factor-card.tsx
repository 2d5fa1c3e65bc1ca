"use client";

import { useTranslations } from "next-intl";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { DropDialog, type FactorActs, RenewDialog, SetUpDialog } from "./factor-dialog.tsx";

interface FactorCardProps extends FactorActs {
  on: boolean;
  recoveryLeft: number;
}

export function FactorCard({ on, recoveryLeft, ...acts }: FactorCardProps) {
  const t = useTranslations("security");
  return (
    <Card
      heading={t("factor")}
      note={on ? t("factorLeft", { left: recoveryLeft }) : t("factorText")}
      aside={<Badge tone={on ? "green" : "gray"}>{t(on ? "factorOn" : "factorOff")}</Badge>}
    >
      <div className="flex flex-wrap gap-2">
        <SetUpDialog on={on} begin={acts.begin} confirm={acts.confirm} />
        {on ? <RenewDialog renew={acts.renew} /> : null}
        {on ? <DropDialog drop={acts.drop} /> : null}
      </div>
    </Card>
  );
}
