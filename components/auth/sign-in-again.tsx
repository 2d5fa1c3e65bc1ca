"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { signedOutEvent } from "../forms/form.tsx";
import { Dialog, DialogContent } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";
import { SignInSteps } from "./sign-in-form.tsx";

/** Opens above the page when its session has ended; the input below it is kept. */
export function SignInAgain() {
  const t = useTranslations("entry");
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const show = () => setOpen(true);
    window.addEventListener(signedOutEvent, show);
    return () => window.removeEventListener(signedOutEvent, show);
  }, []);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogContent title={t("againTitle")} description={t("againText")}>
        <SignInSteps
          onIn={() => {
            setOpen(false);
            toast.success(t("againDone"));
          }}
        />
      </DialogContent>
    </Dialog>
  );
}
