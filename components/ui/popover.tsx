"use client";

import { Popover as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** The style of floating boxes: popovers, menus, lists of options. */
export const floatingClass =
  "z-50 overflow-hidden rounded-lg border border-line bg-surface text-ink shadow-floating data-[state=closed]:animate-leave data-[state=open]:animate-enter";

export const Popover = Primitive.Root;
export const PopoverTrigger = Primitive.Trigger;

interface PopoverContentProps extends ComponentProps<typeof Primitive.Content> {
  "aria-label": string;
  /** On a phone, slides in from the bottom at full width. */
  sheet?: boolean;
}

export function PopoverContent({ className, sheet, ...props }: PopoverContentProps) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={6}
        align="end"
        collisionPadding={12}
        data-sheet={sheet}
        className={classNames(floatingClass, "w-72 p-3 outline-none", className)}
        {...props}
      />
    </Primitive.Portal>
  );
}
