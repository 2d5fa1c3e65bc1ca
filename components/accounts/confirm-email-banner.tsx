"use client";

import { MailWarning } from "lucide-react";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { PageBanner } from "#components/shell/page-banner";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";

/** Sends the confirmation email; returns the address. */
type Confirm = () => Promise<FormAnswer<string>>;

export function useConfirmEmail(confirm: Confirm) {
  const t = useTranslations("security.confirm");
  const runAction = useAction();
  const [pending, start] = useTransition();
  function send() {
    start(async () => {
      const sent = await runAction(confirm);
      if (sent) toast.success(t("emailSent", { email: sent.done }));
    });
  }
  return { pending, send };
}

/** Shown above every page until the address is confirmed. */
export function ConfirmEmailBanner({ email, confirm }: { email: string; confirm: Confirm }) {
  const t = useTranslations("security.confirm");
  const { pending, send } = useConfirmEmail(confirm);
  return (
    <PageBanner
      id="confirm-email"
      Icon={MailWarning}
      heading={t("confirmFirst")}
      text={t("confirmFirstText", { email })}
    >
      <Button pending={pending} onClick={send}>
        {t("sendConfirm")}
      </Button>
    </PageBanner>
  );
}
