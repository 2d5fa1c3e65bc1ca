"use client";

import { Command } from "cmdk";
import { Check, Minus, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import { Badge } from "#components/ui/badge";
import { CommandEmpty, CommandInput, CommandItem, CommandList } from "#components/ui/command";
import { toast } from "#components/ui/toast";
import type { MarkState, NamedOption } from "./names.ts";

const debounceMs = 150;

interface NamePickerProps {
  label: string;
  read: (search: string) => Promise<NamedOption[]>;
  first?: NamedOption;
  markOf: (id: string) => MarkState;
  onPick: (named: NamedOption) => void;
  /** Creates an entry with the searched name. If omitted, only existing entries can be picked. */
  make?: (name: string) => Promise<NamedOption>;
}

interface SearchResult {
  search: string;
  names: readonly NamedOption[];
}

export function NamePicker({ label, read, first, markOf, onPick, make }: NamePickerProps) {
  const t = useTranslations("namePicker");
  const [search, setSearch] = useState("");
  const [found, setFound] = useState<SearchResult | "failed">();
  const load = useEffectEvent(read);

  useEffect(() => {
    let stale = false;
    const timer = setTimeout(
      () => {
        load(search.trim()).then(
          (names) => stale || setFound({ search: search.trim(), names }),
          () => stale || setFound("failed"),
        );
      },
      search === "" ? 0 : debounceMs,
    );
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [search]);

  const typed = search.trim();
  const names = typeof found === "object" ? found.names : [];
  const shown = first && typed === "" ? [first, ...names] : names;
  const isNew =
    typed !== "" &&
    typeof found === "object" &&
    found.search === typed &&
    !names.some(({ name }) => name.toLowerCase() === typed.toLowerCase());

  const makeOne = async (makeIt: (name: string) => Promise<NamedOption>) => {
    try {
      onPick(await makeIt(typed));
      setSearch("");
    } catch (error) {
      toast.error(error instanceof Error ? error.message : t("notRead"));
    }
  };

  return (
    <Command label={label} shouldFilter={false} loop>
      <CommandInput placeholder={label} value={search} onValueChange={setSearch} />
      <CommandList>
        {found === undefined || (make && isNew) ? null : (
          <CommandEmpty>{found === "failed" ? t("notRead") : t("noneFound")}</CommandEmpty>
        )}
        {shown.map((named) => (
          <CommandItem key={named.id} value={named.id} onSelect={() => onPick(named)}>
            <MarkIcon mark={markOf(named.id)} />
            {named.color ? (
              <Badge tone={named.color}>{named.name}</Badge>
            ) : (
              <span className="truncate">{named.name}</span>
            )}
          </CommandItem>
        ))}
        {make && isNew ? (
          <CommandItem value="+" onSelect={() => makeOne(make)}>
            <Plus aria-hidden />
            <span className="truncate">{t("make", { name: typed })}</span>
          </CommandItem>
        ) : null}
      </CommandList>
    </Command>
  );
}

function MarkIcon({ mark }: { mark: MarkState }) {
  const t = useTranslations("namePicker");
  if (mark === "none") return <span className="size-4 shrink-0" />;
  const Sign = mark === "all" ? Check : Minus;
  return (
    <>
      <Sign aria-hidden className="!text-accent" />
      <span className="sr-only">{t(mark)}</span>
    </>
  );
}
