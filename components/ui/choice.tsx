"use client";

import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface ChoiceProps<Value extends string> {
  label: string;
  hint?: string | undefined;
  name: string;
  options: readonly { value: Value; label: ReactNode }[];
  value: Value;
  disabled?: boolean;
  onValueChange: (value: Value) => void;
}

export function Choice<Value extends string>({
  label,
  hint,
  name,
  options,
  value,
  disabled = false,
  onValueChange,
}: ChoiceProps<Value>) {
  return (
    <fieldset disabled={disabled} className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      <div className="flex gap-0.5 rounded-lg bg-hover p-0.5">
        {options.map((option) => (
          <label
            key={option.value}
            className={classNames(
              "grid h-8 flex-1 place-items-center rounded-md px-2 font-medium text-ink-muted text-sm has-[:checked]:bg-raised has-[:checked]:text-ink has-[:checked]:shadow-raised has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent pointer-coarse:h-10",
              disabled ? "opacity-60" : "cursor-pointer hover:text-ink",
            )}
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      {hint ? <p className="text-ink-muted text-sm">{hint}</p> : null}
    </fieldset>
  );
}
