"use client";

import type { ReactNode } from "react";

interface PictureChoiceProps<Value extends string> {
  /** Names the group for screen readers. */
  label: string;
  name: string;
  options: readonly { value: Value; label: string; picture: ReactNode }[];
  value: Value;
  onValueChange: (value: Value) => void;
}

/** One of a few options that are recognized by their pictures. */
export function PictureChoice<Value extends string>({
  label,
  name,
  options,
  value,
  onValueChange,
}: PictureChoiceProps<Value>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      <div className="grid max-w-72 grid-cols-3 gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className="group grid min-w-0 cursor-pointer justify-items-center gap-1 text-center text-ink-muted text-xs has-[:checked]:text-ink"
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
            />
            <span
              aria-hidden
              className="grid h-16 w-full place-items-center rounded-lg border border-line bg-surface text-ink group-hover:bg-hover group-has-[:checked]:border-accent group-has-[:checked]:outline-1 group-has-[:checked]:outline-accent group-has-[:focus-visible]:outline-2 group-has-[:focus-visible]:outline-accent [&_svg]:size-10"
            >
              {option.picture}
            </span>
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
