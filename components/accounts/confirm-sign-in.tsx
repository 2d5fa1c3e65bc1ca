"use client";

import { useTranslations } from "next-intl";
import { useTransition } from "react";
import type { FormAnswer } from "../forms/form.tsx";
import { useAction } from "../forms/use-action.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

/** Sends an email that signs in; returns its address. */
export type SendSignIn = () => Promise<FormAnswer<string>>;

/** In place of the password, for an account without one: a sign-in just before. */
export function ConfirmSignIn({ send }: { send: SendSignIn }) {
  const t = useTranslations("security");
  const runAction = useAction();
  const [pending, start] = useTransition();
  function ask() {
    start(async () => {
      const sent = await runAction(send);
      if (sent) toast.success(t("signInSent", { email: sent.done }));
    });
  }
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      <p className="text-ink-muted">{t("signInFirst")}</p>
      <Button pending={pending} onClick={ask}>
        {t("sendSignIn")}
      </Button>
    </div>
  );
}
