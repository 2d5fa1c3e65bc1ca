"use client";

import { useTranslations } from "next-intl";
import { DialogContent } from "#components/ui/dialog";
import { toast } from "#components/ui/toast";
import type { AskForPasskey } from "./passkey.ts";
import { SignInSteps } from "./sign-in-form.tsx";

interface SignInDialogProps {
  ask: AskForPasskey | undefined;
  onIn: () => void;
}

export function SignInDialog({ ask, onIn }: SignInDialogProps) {
  const t = useTranslations("entry");
  return (
    <DialogContent title={t("againTitle")} description={t("againText")}>
      <SignInSteps
        ask={ask}
        onIn={() => {
          onIn();
          toast.success(t("againDone"));
        }}
      />
    </DialogContent>
  );
}
