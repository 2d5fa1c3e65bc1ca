"use client";

import { useFormatter, useTranslations } from "next-intl";
import { DraftNotice } from "#components/forms/draft-notice";
import { withoutScheme } from "./names.ts";
import type { LinkDraftState } from "./use-draft.ts";

export function DraftOffer({ offer, resume, discard }: LinkDraftState) {
  const t = useTranslations("linkForm.draft");
  const format = useFormatter();
  if (!offer) return null;
  const { at, draft, outdated } = offer;
  const when = format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short" });
  return (
    <DraftNotice
      text={t("found", { when })}
      summary={draft.url ? withoutScheme(draft.url) : ""}
      outdated={outdated ? t("outdated") : undefined}
      discard={{ label: t("discard"), onClick: discard }}
      resume={{ label: t("resume"), onClick: resume }}
    />
  );
}
