"use client";

import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { DialogHead, Overlay } from "./dialog.tsx";

export const Sheet = Primitive.Root;
export const SheetTrigger = Primitive.Trigger;

interface SheetContentProps {
  title: string;
  description?: ReactNode;
  side?: "left" | "right";
  className?: string;
  children: ReactNode;
}

const sides = {
  left: "left-0 border-r [--slide-from:-24px]",
  right: "right-0 border-l [--slide-from:24px]",
};

/** A dialog along an edge of the screen, for content that is too long for a box or belongs next to the page. */
export function SheetContent({
  title,
  description,
  side = "right",
  className,
  children,
}: SheetContentProps) {
  return (
    <Primitive.Portal>
      <Overlay />
      <Primitive.Content
        {...(description ? {} : { "aria-describedby": undefined })}
        className={classNames(
          "fixed inset-y-0 z-50 flex w-full max-w-md flex-col overflow-y-auto border-line bg-surface p-5 text-ink shadow-floating outline-none data-[state=closed]:animate-slide-out data-[state=open]:animate-slide-in",
          sides[side],
          className,
        )}
      >
        <DialogHead title={title} description={description} />
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  );
}
