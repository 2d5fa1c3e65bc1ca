"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { DialogSubmit } from "#components/ui/dialog-submit";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { TextareaField } from "../ui/labeled.tsx";

interface EndAnnouncementProps {
  text: string;
  end: FormAction<null>;
}

/** Ends an announcement, with a reason. */
export function EndAnnouncement({ text, end }: EndAnnouncementProps) {
  const t = useTranslations("admin.announcements");
  const [open, setOpen] = useState(false);
  return (
    <div className="mt-1">
      <Button size="sm" aria-label={t("endOf", { text })} onClick={() => setOpen(true)}>
        {t("end")}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        {open ? (
          <DialogContent title={t("endTitle")} description={t("endText")}>
            <EndForm end={end} onDone={() => setOpen(false)} />
          </DialogContent>
        ) : null}
      </Dialog>
    </div>
  );
}

function EndForm({ end, onDone }: Pick<EndAnnouncementProps, "end"> & { onDone: () => void }) {
  const t = useTranslations("admin.announcements");
  const { form, pending, error, field } = useForm(end, () => {
    toast.success(t("done"));
    onDone();
  });
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <TextareaField {...field("reason")} label={t("reason")} hint={t("reasonHint")} rows={3} />
      <DialogSubmit pending={pending}>{t("endTitle")}</DialogSubmit>
    </form>
  );
}
