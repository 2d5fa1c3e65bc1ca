"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { ReasonForm } from "./reason-form.tsx";

type Verb = "approve" | "decline";

interface KeyDecisionProps {
  id: string;
  name: string;
  decide: (verb: Verb, id: string, data: FormData) => Promise<FormAnswer<null>>;
}

/** Approves or declines a pending API key, with a reason that its creator reads. */
export function KeyDecision({ id, name, decide }: KeyDecisionProps) {
  const t = useTranslations("admin.apiKeys");
  const [open, setOpen] = useState<Verb>();
  return (
    <div className="mt-1 flex gap-2">
      <Button size="sm" aria-label={t("approveKey", { name })} onClick={() => setOpen("approve")}>
        {t("approve")}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-label={t("declineKey", { name })}
        onClick={() => setOpen("decline")}
      >
        {t("decline")}
      </Button>
      <Dialog open={open !== undefined} onOpenChange={() => setOpen(undefined)}>
        {open === undefined ? null : (
          <DialogContent title={t(`${open}Title`)} description={t(`${open}Text`)}>
            <ReasonForm
              change={decide.bind(null, open, id)}
              label={t("reason")}
              hint={t("reasonHint")}
              submit={t(open)}
              done={t(open === "approve" ? "approved" : "declined")}
              onDone={() => setOpen(undefined)}
            />
          </DialogContent>
        )}
      </Dialog>
    </div>
  );
}
