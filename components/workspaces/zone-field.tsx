"use client";

import { ChevronsUpDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import type { ControlProps } from "#components/ui/field";
import { fieldClass } from "#components/ui/input";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import { ZoneList } from "./zone-list.tsx";

/** Picks one of some 400 zones by typing a part of its name. */
export function ZoneField({ control, initial }: { control: ControlProps; initial: string }) {
  const t = useTranslations("settings");
  const [zone, setZone] = useState(initial);
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <input type="hidden" name="zone" value={zone} />
      <PopoverTrigger
        {...control}
        className={classNames(
          fieldClass,
          "flex h-9 items-center justify-between gap-2 text-left pointer-coarse:h-11",
        )}
      >
        {zone}
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      </PopoverTrigger>
      <PopoverContent
        aria-label={t("zone")}
        align="start"
        className="w-(--radix-popover-trigger-width) p-0"
      >
        <ZoneList
          label={t("zone")}
          placeholder={t("zoneSearch")}
          empty={t("zoneEmpty")}
          zone={zone}
          onChoose={(name) => {
            setZone(name);
            setOpen(false);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}
