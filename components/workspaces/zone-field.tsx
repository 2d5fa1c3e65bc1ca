"use client";

import { Check, ChevronsUpDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { classNames } from "../ui/class-names.ts";
import { Command, CommandEmpty, CommandInput, CommandItem, CommandList } from "../ui/command.tsx";
import type { ControlProps } from "../ui/field.tsx";
import { fieldClass } from "../ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";

/** Every zone that this browser supports; UTC is not in its list. */
function listZones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}

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
        <Command label={t("zone")}>
          <CommandInput placeholder={t("zoneSearch")} />
          <CommandList label={t("zone")}>
            <CommandEmpty>{t("zoneEmpty")}</CommandEmpty>
            {listZones().map((name) => (
              <CommandItem
                key={name}
                value={name}
                onSelect={() => {
                  setZone(name);
                  setOpen(false);
                }}
              >
                {name}
                {name === zone ? <Check aria-hidden className="ml-auto !text-accent" /> : null}
              </CommandItem>
            ))}
          </CommandList>
        </Command>
      </PopoverContent>
    </Popover>
  );
}
