"use client";

import NextLink from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { copyText } from "#components/ui/clipboard.ts";
import { CopyButton } from "#components/ui/copy-button";
import { toast } from "#components/ui/toast";
import type { CreatedLink } from "./link-creator.tsx";
import { pageOf, withoutScheme } from "./names.ts";

/** Long enough to scan the code of a link or to choose what to do with it. */
const shownMs = 15_000;

/** There is one notice at a time: another link, or the form for it, replaces it. */
const id = "created-link";

export function closeCreatedNotice(): void {
  toast.dismiss(id);
}

/** Copies a new link, and says so in a notice with everything that one usually does next. */
export function useCreatedNotice(workspace: string) {
  const t = useTranslations("linkForm.creator");
  return async (link: CreatedLink, createAnother?: () => void) => {
    const { shortLink } = link;
    const copied = await copyText(shortLink);
    const name = withoutScheme(shortLink);
    toast.success(t(copied ? "createdCopied" : "createdTitle"), {
      id,
      duration: shownMs,
      description: (
        <>
          <a
            href={shortLink}
            target="_blank"
            rel="noreferrer"
            className="line-clamp-2 break-all rounded-xs underline underline-offset-2"
          >
            {name}
          </a>
          <div className="mt-2 flex flex-wrap gap-1.5 text-ink">
            <CopyButton text={shortLink} label={t("copyLink", { link: name })} size="sm">
              {t("copy")}
            </CopyButton>
            <Button asChild size="sm">
              <NextLink href={`${pageOf(workspace, link.id)}/qr`} onClick={closeCreatedNotice}>
                {t("qr")}
              </NextLink>
            </Button>
            {createAnother ? (
              <Button size="sm" onClick={createAnother}>
                {t("createAnother")}
              </Button>
            ) : null}
          </div>
        </>
      ),
    });
  };
}
