"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { useAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button";

interface StripeButtonProps {
  /** Answers with the page of Stripe. */
  open: () => Promise<FormAnswer<string>>;
  label: string;
  /** Where several buttons have the same label. */
  name?: string;
  variant?: "solid";
}

/** Opens a page of Stripe. */
export function StripeButton({ open, label, name, ...variant }: StripeButtonProps) {
  const t = useTranslations("plans.billing");
  const runAction = useAction();
  const [pending, setPending] = useState(false);

  async function follow() {
    setPending(true);
    const answer = await runAction(open);
    // The page stays until the next one is loaded.
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
