"use client";

import { Grid3x3 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { Dialog, DialogContent } from "#components/ui/dialog";
import type { Template } from "#lib/outreach/qr-templates/schema";
import { LabelsForm } from "./labels-form.tsx";
import { readTemplates } from "./qr-calls.ts";

interface LabelsDialogProps {
  workspace: string;
  linkIds: readonly string[];
}

/** The codes of the selected links on sheets of labels. */
export function LabelsDialog({ workspace, linkIds }: LabelsDialogProps) {
  const t = useTranslations("qrLabels");
  const [open, setOpen] = useState(false);
  const [templates, setTemplates] = useState<readonly Template[]>();

  async function show() {
    setOpen(true);
    // Without templates the plain design is still available.
    setTemplates(await readTemplates(workspace).catch(() => []));
  }

  return (
    <>
      <Button size="sm" onClick={() => void show()}>
        <Grid3x3 aria-hidden />
        <span className="max-lg:sr-only">{t("open")}</span>
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent
          title={t("title", { count: linkIds.length })}
          description={t("text")}
          className="sm:max-w-3xl"
        >
          {templates ? (
            <LabelsForm
              workspace={workspace}
              linkIds={linkIds}
              templates={templates}
              onDone={() => setOpen(false)}
            />
          ) : null}
        </DialogContent>
      </Dialog>
    </>
  );
}
