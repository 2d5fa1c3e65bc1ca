"use client";

import { ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { Field } from "#components/ui/field";
import { fieldClass } from "#components/ui/input";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";

interface PickerFieldProps {
  label: string;
  optional?: string | undefined;
  error?: string | undefined;
  text: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}

/** A field that opens a searchable list, for choices that a select element cannot show. */
export function PickerField(props: PickerFieldProps) {
  const { label, optional, error, text, open, onOpenChange, children } = props;
  return (
    <Field label={label} optional={optional} error={error}>
      {(control) => (
        <Popover open={open} onOpenChange={onOpenChange}>
          <PopoverTrigger asChild>
            <button
              type="button"
              {...control}
              className={classNames(
                fieldClass,
                "flex h-9 items-center justify-between gap-2 text-left pointer-coarse:h-11",
              )}
            >
              <span className="truncate">{text}</span>
              <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
            </button>
          </PopoverTrigger>
          <PopoverContent aria-label={label} align="start" className="p-0">
            {children}
          </PopoverContent>
        </Popover>
      )}
    </Field>
  );
}
