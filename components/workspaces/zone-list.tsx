"use client";

import { Check } from "lucide-react";
import {
  Command,
  CommandEmpty,
  CommandInput,
  CommandItem,
  CommandList,
} from "#components/ui/command";

/** Every zone that this browser supports, plus UTC, which is not in the browser’s list. */
function listZones(first: string): string[] {
  const all = ["UTC", ...Intl.supportedValuesOf("timeZone")];
  return [...new Set([first, ...all])];
}

interface ZoneListProps {
  label: string;
  placeholder: string;
  empty: string;
  zone: string;
  first?: string;
  onChoose: (zone: string) => void;
}

/** Picks one of about 400 zones by typing part of its name. */
export function ZoneList({
  label,
  placeholder,
  empty,
  zone,
  first = "UTC",
  onChoose,
}: ZoneListProps) {
  return (
    <Command label={label}>
      <CommandInput placeholder={placeholder} />
      <CommandList label={label}>
        <CommandEmpty>{empty}</CommandEmpty>
        {listZones(first).map((name) => (
          <CommandItem key={name} value={name} onSelect={() => onChoose(name)}>
            {name}
            {name === zone ? <Check aria-hidden className="ml-auto !text-accent" /> : null}
          </CommandItem>
        ))}
      </CommandList>
    </Command>
  );
}
