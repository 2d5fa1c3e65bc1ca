import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

export const fieldClass =
  "w-full rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink transition-colors hover:border-ink-faint focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-60";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return (
    <input className={classNames(fieldClass, "h-9 pointer-coarse:h-11", className)} {...props} />
  );
}

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      className={classNames(fieldClass, "field-sizing-content min-h-16 py-1.5", className)}
      {...props}
    />
  );
}
