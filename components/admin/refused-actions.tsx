"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { FormAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Dialog, DialogContent } from "#components/ui/dialog";
import type { RefusedJob } from "#lib/office/refused-links/schema";
import { ReasonForm } from "./reason-form.tsx";

const refreshEveryMs = 2_000;

interface RefusedActionsProps {
  /** The latest one. */
  job: RefusedJob | null;
  disable: FormAction<null>;
  /** Of all workspaces; otherwise of one. */
  whole: boolean;
}

/** Turns all refused links off, with a reason, and shows how far that is. */
export function RefusedActions({ job, disable, whole }: RefusedActionsProps) {
  const t = useTranslations("admin.refused");
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const running = job?.state === "running";
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => router.refresh(), refreshEveryMs);
    return () => clearInterval(timer);
  }, [running, router]);
  const action = t(whole ? "disableAll" : "disableWorkspace");
  return (
    <div className="grid justify-items-start gap-2">
      <Button className="text-danger" disabled={running} onClick={() => setOpen(true)}>
        {action}
      </Button>
      <p aria-live="polite" className="text-ink-muted text-sm empty:hidden">
        {job === null
          ? null
          : t(running ? "running" : "done", { checked: job.checked, disabled: job.disabled })}
      </p>
      <Dialog open={open} onOpenChange={setOpen}>
        {open ? (
          <DialogContent title={action} description={t("disableText")}>
            <ReasonForm
              change={disable}
              label={t("reason")}
              hint={t("reasonHint")}
              submit={t("disable")}
              done={t("started")}
              onDone={() => setOpen(false)}
            />
          </DialogContent>
        ) : null}
      </Dialog>
    </div>
  );
}
