import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface BadgeProps {
  tone?: string;
  className?: string;
  children: ReactNode;
}

export function Badge({ tone = "gray", className, children }: BadgeProps) {
  return (
    <span
      data-tone={tone}
      className={classNames(
        "tone inline-flex h-5 max-w-[min(10rem,100%)] items-center truncate rounded-sm px-1.5 font-medium text-xs",
        className,
      )}
    >
      {children}
    </span>
  );
}
