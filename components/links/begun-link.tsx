"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useAct } from "../forms/act.ts";
import type { FormAnswer } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { CopyField } from "../ui/copy-field.tsx";
import { Dialog, DialogActions, DialogClose, DialogContent } from "../ui/dialog.tsx";
import type { CreatedLink } from "./link-creator.tsx";
import { withoutScheme } from "./names.ts";

interface BegunLinkProps {
  /** There is one; creating it ends that, while its dialog stays. */
  waiting: boolean;
  make: () => Promise<FormAnswer<CreatedLink | null>>;
}

/** Creates the link that was requested before signing in, and shows it. */
export function BegunLink({ waiting, make }: BegunLinkProps) {
  const t = useTranslations("linkForm");
  const act = useAct();
  const begun = useRef(false);
  const [created, setCreated] = useState<CreatedLink | null>(null);
  useEffect(() => {
    if (!waiting || begun.current) return;
    begun.current = true;
    void act(make).then((made) => made && setCreated(made.done));
  }, [waiting, make, act]);
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
                <Button look="solid">{t("done")}</Button>
              </DialogClose>
            </DialogActions>
          </div>
        </DialogContent>
      ) : null}
    </Dialog>
  );
}
