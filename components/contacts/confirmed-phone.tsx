"use client";

import { BadgeCheck } from "lucide-react";
import { useTranslations } from "next-intl";

/** Beside a phone whose owner entered a code that was sent to it. */
export function ConfirmedPhone() {
  const t = useTranslations("contacts");
  return (
    <span title={t("phoneConfirmed")} className="ml-1.5 inline-block align-[-3px] text-accent">
      <BadgeCheck aria-hidden className="size-4" />
      <span className="sr-only">{t("phoneConfirmed")}</span>
    </span>
  );
}
