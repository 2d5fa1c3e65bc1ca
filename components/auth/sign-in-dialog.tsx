"use client";

import { useTranslations } from "next-intl";
import { DialogContent } from "#components/ui/dialog";
import { toast } from "#components/ui/toast";
import { SignInSteps } from "./sign-in-form.tsx";

export function SignInDialog({ onIn }: { onIn: () => void }) {
  const t = useTranslations("entry");
  return (
    <DialogContent title={t("againTitle")} description={t("againText")}>
      <SignInSteps
        onIn={() => {
          onIn();
          toast.success(t("againDone"));
        }}
      />
    </DialogContent>
  );
}
