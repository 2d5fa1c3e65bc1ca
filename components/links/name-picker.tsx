"use client";

import { Command } from "cmdk";
import { Check, Minus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import { Badge } from "../ui/badge.tsx";
import { CommandEmpty, CommandInput, CommandItem, CommandList } from "../ui/command.tsx";
import type { Named } from "./names.ts";

const settleMs = 150;

export type Mark = "all" | "some" | "none";

interface NamePickerProps {
  label: string;
  /** What a search finds; an empty one finds the first of all. */
  read: (search: string) => Promise<Named[]>;
  /** Stands before what is found, while nothing is searched. */
  first?: Named;
  markOf: (id: string) => Mark;
  onPick: (named: Named) => void;
}

/** Tags or folders to choose from, found as one types. */
export function NamePicker({ label, read, first, markOf, onPick }: NamePickerProps) {
  const t = useTranslations("linkGroup");
  const [search, setSearch] = useState("");
  const [found, setFound] = useState<readonly Named[] | "failed">();
  const load = useEffectEvent(read);

  useEffect(() => {
    let stale = false;
    const timer = setTimeout(
      () => {
        load(search.trim()).then(
          (names) => stale || setFound(names),
          () => stale || setFound("failed"),
        );
      },
      search === "" ? 0 : settleMs,
    );
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [search]);

  const names = Array.isArray(found) ? found : [];
  const shown = first && search.trim() === "" ? [first, ...names] : names;
  return (
    <Command label={label} shouldFilter={false} loop>
      <CommandInput placeholder={label} value={search} onValueChange={setSearch} />
      <CommandList>
        {found === undefined ? null : (
          <CommandEmpty>{found === "failed" ? t("notRead") : t("noneFound")}</CommandEmpty>
        )}
        {shown.map((named) => (
          <CommandItem key={named.id} value={named.id} onSelect={() => onPick(named)}>
            <MarkSign mark={markOf(named.id)} />
            {named.color ? (
              <Badge tone={named.color}>{named.name}</Badge>
            ) : (
              <span className="truncate">{named.name}</span>
            )}
          </CommandItem>
        ))}
      </CommandList>
    </Command>
  );
}

function MarkSign({ mark }: { mark: Mark }) {
  const t = useTranslations("linkGroup");
  if (mark === "none") return <span className="size-4 shrink-0" />;
  const Sign = mark === "all" ? Check : Minus;
  return (
    <>
      <Sign aria-hidden className="!text-accent" />
      <span className="sr-only">{t(mark)}</span>
    </>
  );
}
