"use client";

import { useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import type { FormAnswer } from "#components/forms/form";
import { useAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";
import type { ApiKey } from "#lib/identity/api-keys/schema";

interface KeyReviewProps {
  keys: readonly ApiKey[];
  keepKey: ((id: string) => Promise<FormAnswer<null>>) | null;
  onRevoke: (key: ApiKey) => void;
}

/** Keys from before their owner's address was confirmed: each is kept or revoked. */
export function KeyReview({ keys, keepKey, onRevoke }: KeyReviewProps) {
  const t = useTranslations("apiKeys");
  const runAction = useAction();
  const [shown, hide] = useOptimistic(
    keys.filter(({ needsReview }) => needsReview),
    (before, id: string) => before.filter((key) => key.id !== id),
  );
  if (!keepKey || shown.length === 0) return null;

  function keep({ id, name }: ApiKey) {
    startTransition(async () => {
      hide(id);
      if (keepKey && (await runAction(() => keepKey(id)))) toast.success(t("kept", { name }));
    });
  }

  return (
    <ul className="mb-6 grid gap-3">
      {shown.map((key) => (
        <li
          key={key.id}
          className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-sunken p-4"
        >
          <div className="min-w-0 flex-1 basis-60 text-sm">
            <p className="truncate font-medium">
              {t("review")}: {key.name} <span className="font-mono text-xs">{key.hint}…</span>
            </p>
            <p className="text-ink-muted">{t("reviewText")}</p>
          </div>
          <Button aria-label={t("keepName", { name: key.name })} onClick={() => keep(key)}>
            {t("keep")}
          </Button>
          <Button aria-label={t("revokeName", { name: key.name })} onClick={() => onRevoke(key)}>
            {t("revoke")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
