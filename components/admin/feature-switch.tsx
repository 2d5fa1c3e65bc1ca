"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Dialog, DialogContent } from "#components/ui/dialog";
import type { Feature } from "#lib/tenancy/features/schema";
import { ReasonForm } from "./reason-form.tsx";

interface FeatureSwitchProps {
  name: Feature;
  enabled: boolean;
  change: FormAction<null>;
}

/** Turns a feature off or on, with a reason. */
export function FeatureSwitch({ name, enabled, change }: FeatureSwitchProps) {
  const t = useTranslations("admin.features");
  const [open, setOpen] = useState(false);
  const verb = enabled ? "turnOff" : "turnOn";
  const feature = t(`names.${name}`);
  return (
    <>
      <Button size="sm" aria-label={t(`${verb}Named`, { feature })} onClick={() => setOpen(true)}>
        {t(verb)}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        {open ? (
          <DialogContent title={t(`${verb}Named`, { feature })} description={t(`${verb}Text`)}>
            <ReasonForm
              change={change}
              label={t("reason")}
              hint={t("reasonHint")}
              submit={t(verb)}
              done={t(`${verb}Done`)}
              onDone={() => setOpen(false)}
            />
          </DialogContent>
        ) : null}
      </Dialog>
    </>
  );
}
