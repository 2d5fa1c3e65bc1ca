"use client";

import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button";
import { copyText } from "#components/ui/clipboard.ts";
import { CopyField } from "#components/ui/copy-field";
import { DialogActions, DialogClose } from "#components/ui/dialog";
import { LinkCode } from "./link-code.tsx";
import type { CreatedLink } from "./link-creator.tsx";
import { withoutScheme } from "./names.ts";

export function CreatedLinkView({ link, onAnother }: { link: CreatedLink; onAnother: () => void }) {
  const t = useTranslations("linkForm.creator");
  const form = useTranslations("linkForm");
  const { shortLink } = link;
  const name = withoutScheme(shortLink);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    let stale = false;
    void copyText(shortLink).then((done) => {
      if (!stale) setCopied(done);
    });
    return () => {
      stale = true;
    };
  }, [shortLink]);
  return (
    <div className="grid gap-4">
      <CopyField
        label={t("shortLink")}
        text={shortLink}
        copy={t("copy")}
        copyLabel={t("copyLink", { link: name })}
        className="font-medium"
      />
      <p role="status" className="-mt-2 text-ink-muted text-sm empty:hidden">
        {copied ? (
          <>
            <Check aria-hidden className="-mt-0.5 mr-1 inline size-4 text-accent" />
            {t("copied")}
          </>
        ) : null}
      </p>
      <div className="justify-self-center">
        <LinkCode shortLink={shortLink} alt={form("codeOf", { link: name })} />
      </div>
      <DialogActions>
        <Button onClick={onAnother}>{t("createAnother")}</Button>
        <DialogClose asChild>
          <Button variant="solid">{t("done")}</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}
