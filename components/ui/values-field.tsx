"use client";

import { Check, Plus, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Command, CommandEmpty, CommandInput, CommandItem, CommandList } from "./command.tsx";
import type { ControlProps } from "./field.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "./popover.tsx";

interface ValueOption {
  value: string;
  label: string;
  tone?: string | undefined;
}

interface ValuesFieldTexts {
  list: string;
  add: string;
  search: string;
  nothing: string;
  remove: (label: string) => string;
  other?: (text: string) => string;
}

interface ValuesFieldProps {
  control: ControlProps;
  options: readonly ValueOption[];
  values: readonly string[];
  onValues: (values: string[]) => void;
  texts: ValuesFieldTexts;
}

export function ValuesField({ control, options, values, onValues, texts }: ValuesFieldProps) {
  const labels = new Map(options.map((option) => [option.value, option]));
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-1.5">
      {values.map((value) => {
        const { label = value, tone = "gray" } = labels.get(value) ?? {};
        return (
          <ValueChip
            key={value}
            label={label}
            tone={tone}
            remove={texts.remove(label)}
            onRemove={() => onValues(values.filter((one) => one !== value))}
          />
        );
      })}
      <Adder {...{ control, options, values, onValues, texts }} />
    </div>
  );
}

interface ValueChipProps {
  label: string;
  tone: string;
  remove: string;
  onRemove: () => void;
}

export function ValueChip({ label, tone, remove, onRemove }: ValueChipProps) {
  return (
    <span
      data-tone={tone}
      className="tone inline-flex h-7 max-w-full items-center gap-0.5 rounded-sm pl-2 font-medium text-xs pointer-coarse:h-9"
    >
      <span className="truncate">{label}</span>
      <button
        type="button"
        aria-label={remove}
        onClick={onRemove}
        className="grid size-6 place-items-center rounded-sm hover:bg-hover pointer-coarse:size-9"
      >
        <X aria-hidden className="size-3" />
      </button>
    </span>
  );
}

interface ValueAdderProps {
  control: ControlProps;
  label: string;
  list: string;
  children: ReactNode;
}

export function ValueAdder({ control, label, list, children }: ValueAdderProps) {
  return (
    <Popover>
      <PopoverTrigger
        {...control}
        className="inline-flex h-7 items-center gap-1 rounded-md border border-line border-dashed px-2 text-ink-muted text-sm hover:bg-hover hover:text-ink aria-invalid:border-danger pointer-coarse:h-9"
      >
        <Plus aria-hidden className="size-3.5" />
        {label}
      </PopoverTrigger>
      <PopoverContent aria-label={list} align="start" className="w-64 p-0">
        {children}
      </PopoverContent>
    </Popover>
  );
}

function Adder({ control, options, values, onValues, texts }: ValuesFieldProps) {
  const [text, setText] = useState("");
  const typed = text.trim();
  const toggle = (value: string) => {
    const has = values.includes(value);
    onValues(has ? values.filter((one) => one !== value) : [...values, value]);
    setText("");
  };
  const isListed = options.some(({ value, label }) => value === typed || label === typed);
  return (
    <ValueAdder control={control} label={texts.add} list={texts.list}>
      <Command label={texts.list}>
        <CommandInput placeholder={texts.search} value={text} onValueChange={setText} />
        <CommandList label={texts.list}>
          {texts.other ? null : <CommandEmpty>{texts.nothing}</CommandEmpty>}
          {options.map(({ value, label }) => (
            <CommandItem
              key={value}
              value={`${label} ${value}`}
              onSelect={() => toggle(value)}
              aria-checked={values.includes(value)}
            >
              <span className="truncate">{label}</span>
              {values.includes(value) ? (
                <Check aria-hidden className="ml-auto !text-accent" />
              ) : null}
            </CommandItem>
          ))}
          {texts.other && typed !== "" && !isListed ? (
            <CommandItem value={typed} onSelect={() => toggle(typed)}>
              {texts.other(typed)}
            </CommandItem>
          ) : null}
        </CommandList>
      </Command>
    </ValueAdder>
  );
}
