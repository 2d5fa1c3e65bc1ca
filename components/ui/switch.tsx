"use client";

import { Switch as Primitive } from "radix-ui";
import { type ComponentProps, type ReactNode, useId } from "react";

interface SwitchProps extends ComponentProps<typeof Primitive.Root> {
  label: string;
  hint?: ReactNode;
}

export function Switch({ label, hint, ...props }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="grid gap-0.5">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {hint ? (
          <p id={`${id}-hint`} className="text-ink-muted text-sm">
            {hint}
          </p>
        ) : null}
      </div>
      <Primitive.Root
        id={id}
        {...(hint ? { "aria-describedby": `${id}-hint` } : {})}
        className="mt-0.5 inline-flex h-5 w-9 shrink-0 items-center rounded-full bg-line-strong p-0.5 transition-colors data-[state=checked]:bg-accent"
        {...props}
      >
        <Primitive.Thumb className="size-4 rounded-full bg-surface shadow-raised transition-transform data-[state=checked]:translate-x-4" />
      </Primitive.Root>
    </div>
  );
}
