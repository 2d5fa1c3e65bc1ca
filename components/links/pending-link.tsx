"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { CopyField } from "#components/ui/copy-field";
import { Dialog, DialogActions, DialogClose, DialogContent } from "#components/ui/dialog";
import type { CreatedLink } from "./link-creator.tsx";
import { withoutScheme } from "./names.ts";

interface PendingLinkProps {
  /** Whether a link is pending. Creating it makes this false, while its dialog stays open. */
  waiting: boolean;
  make: () => Promise<FormAnswer<CreatedLink | null>>;
}

export function PendingLink({ waiting, make }: PendingLinkProps) {
  const t = useTranslations("linkForm.creator");
  const runAction = useAction();
  const hasStarted = useRef(false);
  const [created, setCreated] = useState<CreatedLink | null>(null);
  useEffect(() => {
    if (!waiting || hasStarted.current) return;
    hasStarted.current = true;
    void runAction(make).then((created) => created && setCreated(created.done));
  }, [waiting, make, runAction]);
  return (
    <Dialog open={created !== null} onOpenChange={() => setCreated(null)}>
      {created ? (
        <DialogContent
          title={t("createdTitle")}
          description={
            <span className="line-clamp-2 break-all">
              {t("createdText", { url: withoutScheme(created.url) })}
            </span>
          }
        >
          <div className="grid gap-4">
            <CopyField label={t("shortLink")} text={created.shortLink} copy={t("copy")} />
            <DialogActions>
              <DialogClose asChild>
                <Button variant="solid">{t("done")}</Button>
              </DialogClose>
            </DialogActions>
          </div>
        </DialogContent>
      ) : null}
    </Dialog>
  );
}
