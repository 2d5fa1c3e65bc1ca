"use client";

import { useTranslations } from "next-intl";
import { Toaster as Primitive } from "sonner";

export { toast } from "sonner";

/** The container of toasts. Colors come from the tokens, so it needs no theme of its own. */
export function Toaster() {
  const t = useTranslations("common");
  return (
    <Primitive
      position="bottom-right"
      containerAriaLabel={t("notifications")}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-(--width) items-center gap-2.5 rounded-lg border border-line bg-surface px-3.5 py-3 font-sans text-ink text-sm shadow-floating [&_svg]:size-4",
          success: "[&_[data-icon]]:text-accent",
          error: "[&_[data-icon]]:text-danger",
          description: "text-ink-muted",
          actionButton:
            "ml-auto shrink-0 rounded-md border border-line px-2 py-1 font-medium hover:bg-hover",
        },
      }}
    />
  );
}
