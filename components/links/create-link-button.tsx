"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { useLinkCreator } from "./creator-context.ts";

export function CreateLinkButton() {
  const t = useTranslations("links");
  const { openCreator } = useLinkCreator();
  if (!openCreator) return null;
  return (
    <Button variant="solid" onClick={openCreator} aria-keyshortcuts="c">
      <Plus aria-hidden />
      {t("create")}
    </Button>
  );
}
