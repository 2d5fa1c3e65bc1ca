"use client";

import { ChevronsUpDown, ListFilter, Search } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState, useTransition } from "react";
import { useShortcut } from "../shell/shortcuts.tsx";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { classNames } from "../ui/class-names.ts";
import { Field } from "../ui/field.tsx";
import { fieldLook, Input } from "../ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { Select } from "../ui/select.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { readFolders, readTags } from "./choices.ts";
import type { ListLook } from "./list-look.ts";
import { LookBox } from "./look-box.tsx";
import { type Named, NamePicker } from "./name-picker.tsx";

const settleMs = 180;
/** A select has no empty value; this is no host. */
const anyDomain = "*";

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

function FilterBox({ params, set, workspace, hosts, tag, folder }: FilterBoxProps) {
  const t = useTranslations("links");
  const domain = params.get("domain") ?? "";
  const archived = params.get("archived") === "true";
  const count = [domain, archived, params.get("tag"), params.get("folder")].filter(Boolean).length;
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
        <Field label={t("domain")}>
          {(control) => (
            <Select
              {...control}
              value={domain || anyDomain}
              onValueChange={(value) => set("domain", value === anyDomain ? "" : value)}
              options={[
                { value: anyDomain, label: t("allDomains") },
                ...hosts.map((host) => ({ value: host, label: host })),
              ]}
            />
          )}
        </Field>
        <NameFilter
          label={t("tag")}
          any={t("anyTag")}
          chosen={tag}
          read={(search) => readTags(workspace, search)}
          onChoose={(id) => set("tag", id)}
        />
        <NameFilter
          label={t("folder")}
          any={t("anyFolder")}
          chosen={folder}
          read={(search) => readFolders(workspace, search)}
          onChoose={(id) => set("folder", id)}
        />
        <Checkbox
          label={t("showArchived")}
          checked={archived}
          onCheckedChange={(checked) => set("archived", checked === true ? "true" : "")}
        />
      </PopoverContent>
    </Popover>
  );
}

interface NameFilterProps {
  label: string;
  /** What stands there when nothing is asked for. */
  any: string;
  chosen: Named | undefined;
  read: (search: string) => Promise<Named[]>;
  /** Empty: whatever it is. */
  onChoose: (id: string) => void;
}

/** No tag and no folder has this id. */
const anyName = "any";

function NameFilter({ label, any, chosen, read, onChoose }: NameFilterProps) {
  const [open, setOpen] = useState(false);
  return (
    <Field label={label}>
      {(control) => (
        <Popover open={open} onOpenChange={setOpen}>
          <PopoverTrigger asChild>
            <button
              type="button"
              {...control}
              className={classNames(
                fieldLook,
                "flex h-9 items-center justify-between gap-2 text-left pointer-coarse:h-11",
              )}
            >
              <span className="truncate">{chosen?.name ?? any}</span>
              <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
            </button>
          </PopoverTrigger>
          <PopoverContent aria-label={label} className="p-0">
            <NamePicker
              label={label}
              read={read}
              first={{ id: anyName, name: any }}
              markOf={(id) => (id === (chosen?.id ?? anyName) ? "all" : "none")}
              onPick={({ id }) => {
                setOpen(false);
                onChoose(id === anyName ? "" : id);
              }}
            />
          </PopoverContent>
        </Popover>
      )}
    </Field>
  );
}
