"use client";

import { useFormatter, useTranslations } from "next-intl";
import { Button } from "../ui/button.tsx";
import { withoutScheme } from "./names.ts";
import type { DraftState } from "./use-draft.ts";

/** Offers an earlier draft: to resume or to discard it. */
export function DraftOffer({ offer, resume, discard }: DraftState) {
  const t = useTranslations("linkForm.draft");
  const format = useFormatter();
  if (!offer) return null;
  const { at, draft, outdated } = offer;
  const when = format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short" });
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-sunken p-3 text-sm"
    >
      <div className="min-w-40 flex-1">
        <p>{t("found", { when })}</p>
        {draft.url ? (
          <p className="line-clamp-1 break-all text-ink-muted">{withoutScheme(draft.url)}</p>
        ) : null}
        {outdated ? <p className="text-danger">{t("outdated")}</p> : null}
      </div>
      <Button size="sm" variant="ghost" onClick={discard}>
        {t("discard")}
      </Button>
      <Button size="sm" onClick={resume}>
        {t("resume")}
      </Button>
    </div>
  );
}
