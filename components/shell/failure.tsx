"use client";

import { TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";

/** Shown when a page could not be rendered. The digest identifies the error in the log, which has its text. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTranslations("failure");
  const common = useTranslations("common");
  const [pending, start] = useTransition();
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  return (
    <div role="alert">
      <EmptyState
        icon={<TriangleAlert aria-hidden />}
        title={t("heading")}
        wholePage
        actions={
          <Button variant="solid" pending={pending} onClick={() => start(retry)}>
            {common("retry")}
          </Button>
        }
      >
        <p>{t("text")}</p>
        {digest ? <p className="mt-2 text-xs">{t("reference", { digest })}</p> : null}
      </EmptyState>
    </div>
  );
}
