import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

export function Kbd({ className, ...props }: ComponentProps<"kbd">) {
  return (
    <kbd
      className={classNames(
        "inline-grid h-5 min-w-5 place-items-center rounded-sm border border-line bg-canvas px-1 font-sans text-ink-muted text-xs",
        className,
      )}
      {...props}
    />
  );
}
