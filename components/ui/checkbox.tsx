"use client";

import { Check } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import { type ComponentProps, useId } from "react";

interface CheckboxProps extends ComponentProps<typeof Primitive.Root> {
  label: string;
}

export function Checkbox({ label, ...props }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <Primitive.Root
        id={id}
        className="grid size-4 shrink-0 place-items-center rounded-sm border border-line-strong bg-surface data-[state=checked]:border-accent data-[state=checked]:bg-accent pointer-coarse:size-6"
        {...props}
      >
        <Primitive.Indicator>
          <Check aria-hidden className="size-3 text-canvas" strokeWidth={3} />
        </Primitive.Indicator>
      </Primitive.Root>
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
    </div>
  );
}
