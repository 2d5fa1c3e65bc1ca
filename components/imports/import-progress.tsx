import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { Progress } from "#components/ui/progress";
import { toast } from "#components/ui/toast";
import { actOn } from "./import-calls.ts";
import { Figure, type ImportPartProps } from "./import-part.tsx";

/** The progress of an import. The page may be closed: a worker runs it. */
export function ImportProgress({ workspace, shown, onShown, mayWrite }: ImportPartProps) {
  const t = useTranslations("imports");
  const format = useFormatter();
  const [isAsking, setIsAsking] = useState(false);
  const { id, rows, done, made, refused, rowsPerSecond, secondsLeft } = shown;
  const share = rows > 0 ? done / rows : 0;
  const percent = format.number(share, { style: "percent", maximumFractionDigits: 0 });

  const cancel = () =>
    actOn(workspace, id, "cancel").then(onShown, (error: Error) => toast.error(error.message));

  return (
    <Card
      heading={t(`states.${shown.state}`)}
      note={t("mayLeave")}
      aside={mayWrite ? <Button onClick={() => setIsAsking(true)}>{t("cancel")}</Button> : null}
    >
      <Progress label={t("progress", { done, rows, percent })} share={share} />
      <dl className="flex flex-wrap gap-x-8 gap-y-3 text-sm">
        <Figure name={t("made")} value={format.number(made)} />
        <Figure name={t("refused")} value={format.number(refused)} />
        {rowsPerSecond === null ? null : (
          <Figure name={t("speed")} value={format.number(rowsPerSecond)} />
        )}
        {secondsLeft === null ? null : (
          <Figure
            name={t("left")}
            value={t("duration", {
              minutes: Math.floor(secondsLeft / 60),
              seconds: secondsLeft % 60,
            })}
          />
        )}
      </dl>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("cancelTitle")}
        action={t("cancel")}
        onConfirm={cancel}
      >
        {t("cancelText", { made })}
      </ConfirmDialog>
    </Card>
  );
}
