"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";

interface StripeButtonProps {
  open: () => Promise<FormAnswer<string>>;
  label: string;
  name?: string;
  variant?: "solid";
}

export function StripeButton({ open, label, name, ...variant }: StripeButtonProps) {
  const t = useTranslations("plans.billing");
  const runAction = useAction();
  const [pending, setPending] = useState(false);

  async function follow() {
    setPending(true);
    const answer = await runAction(open);
    // Stays pending until the next page is loaded.
    if (answer) window.location.assign(answer.done);
    else setPending(false);
  }

  return (
    <Button
      {...variant}
      pending={pending}
      onClick={() => void follow()}
      {...(name ? { "aria-label": name } : {})}
    >
      {pending ? t("opening") : label}
    </Button>
  );
}
