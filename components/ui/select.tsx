"use client";

import { Check, ChevronsUpDown } from "lucide-react";
import { Select as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import type { ControlProps } from "./field.tsx";
import { fieldClass } from "./input.tsx";
import { floatingClass } from "./popover.tsx";

interface Option {
  value: string;
  label: ReactNode;
}

const scrollsOutside = { flex: "none", overflow: "visible" };

interface SelectProps extends Partial<ControlProps> {
  options: readonly Option[];
  name?: string;
  value?: string;
  defaultValue?: string;
  onValueChange?: (value: string) => void;
  "aria-label"?: string;
  className?: string;
}

export function Select({
  options,
  className,
  name,
  value,
  defaultValue,
  onValueChange,
  ...control
}: SelectProps) {
  return (
    <Primitive.Root
      {...(name === undefined ? {} : { name })}
      {...(value === undefined ? {} : { value })}
      {...(defaultValue === undefined ? {} : { defaultValue })}
      {...(onValueChange === undefined ? {} : { onValueChange })}
    >
      <Primitive.Trigger
        className={classNames(
          fieldClass,
          "flex h-9 items-center justify-between gap-2 text-left pointer-coarse:h-11",
          className,
        )}
        {...control}
      >
        <span className="truncate">
          <Primitive.Value />
        </span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          className={classNames(
            floatingClass,
            "max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-y-auto p-1",
          )}
        >
          {/* The list itself scrolls: only there, its options count as reachable by keyboard. */}
          <Primitive.Viewport style={scrollsOutside}>
            {options.map((option) => (
              <Primitive.Item
                key={option.value}
                value={option.value}
                className="flex h-8 select-none items-center gap-2 rounded-sm px-2 text-sm outline-none data-[highlighted]:bg-hover pointer-coarse:h-10"
              >
                <Primitive.ItemText>{option.label}</Primitive.ItemText>
                <Primitive.ItemIndicator className="ml-auto">
                  <Check aria-hidden className="size-3.5 text-accent" />
                </Primitive.ItemIndicator>
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
