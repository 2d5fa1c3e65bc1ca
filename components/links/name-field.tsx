"use client";

import { ChevronsUpDown } from "lucide-react";
import { useState } from "react";
import { classNames } from "../ui/class-names.ts";
import { Field } from "../ui/field.tsx";
import { fieldClass } from "../ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { NamePicker } from "./name-picker.tsx";
import type { NamedOption } from "./names.ts";

interface NameFieldProps {
  label: string;
  optional?: string;
  error?: string | undefined;
  /** The text without a selection. */
  any: string;
  chosen: NamedOption | undefined;
  read: (search: string) => Promise<NamedOption[]>;
  /** Empty: any. */
  onChoose: (id: string, named?: NamedOption) => void;
  make?: (name: string) => Promise<NamedOption>;
}

/** No tag and no folder has this id. */
const anyName = "any";

/** A field for one tag, folder or member, or none, out of more than a list can show. */
export function NameField(props: NameFieldProps) {
  const { label, optional, error, any, chosen, read, onChoose, make } = props;
  const [open, setOpen] = useState(false);
  return (
    <Field label={label} optional={optional} error={error}>
      {(control) => (
        <Popover open={open} onOpenChange={setOpen}>
          <PopoverTrigger asChild>
            <button
              type="button"
              {...control}
              className={classNames(
                fieldClass,
                "flex h-9 items-center justify-between gap-2 text-left pointer-coarse:h-11",
              )}
            >
              <span className="truncate">{chosen?.name ?? any}</span>
              <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
            </button>
          </PopoverTrigger>
          <PopoverContent aria-label={label} align="start" className="p-0">
            <NamePicker
              label={label}
              read={read}
              first={{ id: anyName, name: any }}
              markOf={(id) => (id === (chosen?.id ?? anyName) ? "all" : "none")}
              onPick={(named) => {
                setOpen(false);
                if (named.id === anyName) onChoose("");
                else onChoose(named.id, named);
              }}
              {...(make ? { make } : {})}
            />
          </PopoverContent>
        </Popover>
      )}
    </Field>
  );
}
