"use client";

import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";

interface RetiringNoteProps {
  keepAll: (() => Promise<FormAnswer<{ kept: number; more: boolean }>>) | null;
}

export function RetiringNote({ keepAll }: RetiringNoteProps) {
  const t = useTranslations("retirement");
  const runAction = useAction();
  const [pending, start] = useTransition();
  const run = (keep: NonNullable<typeof keepAll>) =>
    start(async () => {
      const answer = await runAction(keep);
      if (!answer) return;
      const { kept, more } = answer.done;
      toast.success(t(more ? "keepingMore" : "kept", { count: kept }));
    });
  return (
    <section
      aria-label={t("heading")}
      className="mt-4 flex flex-wrap items-center gap-3 rounded-xl border border-line bg-surface p-3 text-sm"
    >
      <p className="mr-auto max-w-prose">{t("soon")}</p>
      {keepAll ? (
        <Button size="sm" pending={pending} onClick={() => run(keepAll)}>
          {t("keepAll")}
        </Button>
      ) : null}
    </section>
  );
}
