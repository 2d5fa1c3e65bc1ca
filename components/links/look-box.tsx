"use client";

import { SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import { startTransition, useOptimistic } from "react";
import type { AddressFilters } from "../shell/address-filter.tsx";
import { Button } from "../ui/button.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { LookFields } from "./late.ts";
import { type ListLook, writeLook } from "./list-look.ts";

interface LookBoxProps {
  params: URLSearchParams;
  set: AddressFilters["set"];
  look: ListLook;
  chooseLook: (look: string) => Promise<void>;
}

/** The order and layout of links. The order is in the URL, the layout in a cookie. */
export function LookBox({ params, set, look, chooseLook }: LookBoxProps) {
  const t = useTranslations("links");
  const [shown, expect] = useOptimistic(look);
  function choose(next: ListLook) {
    startTransition(async () => {
      expect(next);
      await chooseLook(writeLook(next));
    });
  }
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button className="h-9 pointer-coarse:h-11">
          <SlidersHorizontal aria-hidden />
          <span className="max-sm:sr-only">{t("look")}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={t("lookLabel")} className="grid gap-4">
        <LookFields params={params} set={set} look={shown} choose={choose} />
      </PopoverContent>
    </Popover>
  );
}
