"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import type { FormAction } from "#components/forms/form";
import type { RefusedJob } from "#lib/office/refused-links/schema";
import { ReasonButtons } from "./reason-buttons.tsx";

const refreshEveryMs = 2_000;

interface RefusedActionsProps {
  job: RefusedJob | null;
  disable: FormAction<null>;
  whole: boolean;
}

export function RefusedActions({ job, disable, whole }: RefusedActionsProps) {
  const t = useTranslations("admin.refused");
  const router = useRouter();
  const running = job?.state === "running";
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => router.refresh(), refreshEveryMs);
    return () => clearInterval(timer);
  }, [running, router]);
  const action = t(whole ? "disableAll" : "disableWorkspace");
  return (
    <div className="grid justify-items-start gap-2">
      <ReasonButtons
        className="text-danger"
        disabled={running}
        label={t("reason")}
        hint={t("reasonHint")}
        changes={[
          {
            button: action,
            title: action,
            text: t("disableText"),
            submit: t("disable"),
            done: t("started"),
            change: disable,
          },
        ]}
      />
      <p aria-live="polite" className="text-ink-muted text-sm empty:hidden">
        {job === null
          ? null
          : t(running ? "running" : "done", { checked: job.checked, disabled: job.disabled })}
      </p>
    </div>
  );
}
