"use client";

import { Tooltip as Primitive } from "radix-ui";
import type { ReactNode } from "react";

const delayMs = 300;

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Primitive.Provider delayDuration={delayMs}>{children}</Primitive.Provider>;
}

interface TooltipProps {
  content: ReactNode;
  side?: "top" | "right" | "bottom" | "left";
  children: ReactNode;
}

/** Adds a text to a focusable element; never the only place of an information. */
export function Tooltip({ content, side = "top", children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 items-center gap-2 rounded-md bg-solid px-2 py-1 text-on-solid text-xs shadow-floating data-[state=closed]:animate-fade-out data-[state=delayed-open]:animate-fade-in"
        >
          {content}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
