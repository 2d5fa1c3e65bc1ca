import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { fieldClass } from "./input.tsx";

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      className={classNames(fieldClass, "field-sizing-content min-h-16 py-1.5", className)}
      {...props}
    />
  );
}
