import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CopyField } from "#components/ui/copy-field";
import { DialogActions } from "#components/ui/dialog";

interface WebhookSecretProps {
  secret: string;
  /** The button that ends the dialog. */
  children: ReactNode;
}

/** A new secret, which the dashboard shows only now. */
export function WebhookSecret({ secret, children }: WebhookSecretProps) {
  const t = useTranslations("webhooks");
  return (
    <div className="grid min-w-0 gap-4">
      <CopyField
        label={t("secret")}
        text={secret}
        copy={t("copySecret")}
        className="font-mono text-sm"
      />
      <p className="text-ink-muted text-sm">
        {t.rich("verifyText", {
          guide: (text) => (
            <a
              href="/docs/webhooks"
              target="_blank"
              rel="noreferrer"
              className="underline underline-offset-4"
            >
              {text}
            </a>
          ),
        })}
      </p>
      <DialogActions>{children}</DialogActions>
    </div>
  );
}
