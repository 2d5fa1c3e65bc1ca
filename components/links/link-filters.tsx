"use client";

import { ListFilter, Search } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState, useTransition } from "react";
import { useShortcut } from "../shell/shortcuts.tsx";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { FilterFields } from "./late.ts";
import type { ListLook } from "./list-look.ts";
import { LookBox } from "./look-box.tsx";
import type { Named } from "./name-picker.tsx";

const settleMs = 180;

/** Changes the filters in the address bar. A new filter begins at the first page again. */
function useFilters() {
  const router = useRouter();
  const path = usePathname();
  const params = useSearchParams();
  const [pending, start] = useTransition();
  function set(name: string, value: string) {
    const next = new URLSearchParams(params);
    for (const cursor of ["after", "before"]) next.delete(cursor);
    if (value === "") next.delete(name);
    else next.set(name, value);
    start(() => router.replace(next.size > 0 ? `${path}?${next}` : path, { scroll: false }));
  }
  return { params, pending, set };
}

interface LinkFiltersProps {
  workspace: string;
  hosts: readonly string[];
  /** The tag and the folder that are asked for. */
  tag: Named | undefined;
  folder: Named | undefined;
  look: ListLook;
  chooseLook: (look: string) => Promise<void>;
}

export function LinkFilters({ look, chooseLook, ...asked }: LinkFiltersProps) {
  const filters = useFilters();
  return (
    <div className="flex items-center gap-2">
      <SearchBox {...filters} />
      <FilterBox {...filters} {...asked} />
      <LookBox {...filters} look={look} chooseLook={chooseLook} />
    </div>
  );
}

export type Filters = ReturnType<typeof useFilters>;

function SearchBox({ params, pending, set }: Filters) {
  const t = useTranslations("links");
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = params.get("search") ?? "";
  const [text, setText] = useState(asked);
  useShortcut("/", () => box.current?.select());

  // Someone else changed the address: the button that clears, or a step back in the history.
  useEffect(() => {
    if (document.activeElement !== box.current) setText(asked);
  }, [asked]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function type(next: string) {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => set("search", next.trim()), settleMs);
  }

  return (
    <search className="relative min-w-0 flex-1 sm:max-w-md">
      <label htmlFor={id} className="sr-only">
        {t("searchLabel")}
      </label>
      <span className="pointer-events-none absolute inset-y-0 left-2.5 grid place-items-center text-ink-faint">
        {pending ? <Spinner /> : <Search aria-hidden className="size-4" />}
      </span>
      <Input
        id={id}
        ref={box}
        type="search"
        value={text}
        placeholder={t("searchPlaceholder")}
        onChange={(event) => type(event.target.value)}
        className="pl-8"
      />
      <span role="status" className="sr-only">
        {pending ? t("searching") : ""}
      </span>
    </search>
  );
}

type FilterBoxProps = Filters & Omit<LinkFiltersProps, "look" | "chooseLook">;

function FilterBox({ params, set, pending: _pending, ...asked }: FilterBoxProps) {
  const t = useTranslations("links");
  const names = ["domain", "tag", "folder", "archived"];
  const count = names.filter((name) => params.get(name)).length;
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button className="h-9 pointer-coarse:h-11">
          <ListFilter aria-hidden />
          <span className="max-sm:sr-only">{t("display")}</span>
          {count > 0 ? <span className="text-accent tabular-nums">{count}</span> : null}
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={t("displayLabel")} className="grid gap-4">
        <FilterFields {...asked} params={params} set={set} />
      </PopoverContent>
    </Popover>
  );
}
