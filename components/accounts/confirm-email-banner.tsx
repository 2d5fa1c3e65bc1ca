"use client";

import { MailWarning } from "lucide-react";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import type { FormAnswer } from "../forms/form.tsx";
import { useAction } from "../forms/use-action.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

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

interface ConfirmEmailBannerProps {
  email: string;
  confirm: Confirm;
}

/** Above every page until the address is confirmed: what waits for it, and the email again. */
export function ConfirmEmailBanner({ email, confirm }: ConfirmEmailBannerProps) {
  const t = useTranslations("security.confirm");
  const { pending, send } = useConfirmEmail(confirm);
  return (
    <section
      aria-labelledby="confirm-email"
      className="mb-6 flex flex-wrap items-center gap-3 rounded-xl border border-line bg-sunken p-4"
    >
      <MailWarning aria-hidden className="size-5 shrink-0 text-ink-muted" />
      <div className="min-w-0 flex-1 basis-60 text-sm">
        <h2 id="confirm-email" className="font-medium">
          {t("confirmFirst")}
        </h2>
        <p className="break-words text-ink-muted">{t("confirmFirstText", { email })}</p>
      </div>
      <Button pending={pending} onClick={send}>
        {t("sendConfirm")}
      </Button>
    </section>
  );
}
