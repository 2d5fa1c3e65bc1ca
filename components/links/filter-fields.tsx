"use client";

import { ChevronsUpDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { AddressFilters } from "../shell/address-filter.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { classNames } from "../ui/class-names.ts";
import { Field } from "../ui/field.tsx";
import { fieldLook } from "../ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { Select } from "../ui/select.tsx";
import { readFolders, readTags } from "./choices.ts";
import { type Named, NamePicker } from "./name-picker.tsx";

/** A select has no empty value; this is no host. */
const anyDomain = "*";

interface FilterFieldsProps {
  params: URLSearchParams;
  set: AddressFilters["set"];
  workspace: string;
  hosts: readonly string[];
  tag: Named | undefined;
  folder: Named | undefined;
}

/** What a list can be filtered by. */
export function FilterFields({ params, set, workspace, hosts, tag, folder }: FilterFieldsProps) {
  const t = useTranslations("links");
  const domain = params.get("domain") ?? "";
  const archived = params.get("archived") === "true";
  return (
    <>
      <Field label={t("domain")}>
        {(control) => (
          <Select
            {...control}
            value={domain || anyDomain}
            onValueChange={(value) => set({ domain: value === anyDomain ? "" : value })}
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
        onChoose={(id) => set({ tag: id })}
      />
      <NameFilter
        label={t("folder")}
        any={t("anyFolder")}
        chosen={folder}
        read={(search) => readFolders(workspace, search)}
        onChoose={(id) => set({ folder: id })}
      />
      <Checkbox
        label={t("showArchived")}
        checked={archived}
        onCheckedChange={(checked) => set({ archived: checked === true ? "true" : "" })}
      />
    </>
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
