"use client";

import { Bookmark } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import type { SavedView } from "#lib/links/saved-views/schema";
import { ViewsList } from "./lazy-parts.ts";

export interface ViewActions {
  create: (view: {
    name: string;
    search: string;
    shared: boolean;
  }) => Promise<FormAnswer<SavedView>>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

export interface ViewsMenuProps {
  views: readonly SavedView[];
  actions: ViewActions;
  mayShare: boolean;
  params: URLSearchParams;
}

export function ViewsMenu(props: ViewsMenuProps) {
  const t = useTranslations("links");
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button className="h-9 pointer-coarse:h-11">
          <Bookmark aria-hidden />
          <span className="max-sm:sr-only">{t("savedViews")}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent sheet aria-label={t("savedViewsLabel")} className="grid gap-4">
        <ViewsList {...props} onOpened={() => setOpen(false)} />
      </PopoverContent>
    </Popover>
  );
}
