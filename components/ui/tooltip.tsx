"use client";

import { Info } from "lucide-react";
import { Tooltip as Primitive } from "radix-ui";
import { type ReactNode, type SyntheticEvent, useState } from "react";

const delayMs = 300;

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Primitive.Provider delayDuration={delayMs}>{children}</Primitive.Provider>;
}

const contentClass =
  "z-50 flex max-w-72 items-center gap-2 rounded-md bg-solid px-2 py-1 text-on-solid text-xs shadow-floating data-[state=closed]:animate-fade-out data-[state=delayed-open]:animate-fade-in";

interface TooltipProps {
  content: ReactNode;
  side?: "top" | "right" | "bottom" | "left";
  children: ReactNode;
}

/** Adds a text to a focusable element. Information must never be only in a tooltip. */
export function Tooltip({ content, side = "top", children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content side={side} sideOffset={6} collisionPadding={8} className={contentClass}>
          {content}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

interface ExplainedProps {
  text: string;
  children: string;
}

/** A label with an explanation that appears on hover, focus and tap. */
export function Explained({ text, children }: ExplainedProps) {
  const [open, setOpen] = useState(false);
  // Otherwise pressing closes the tooltip, so that a tap would show nothing.
  const keep = (event: SyntheticEvent) => event.preventDefault();
  return (
    <Primitive.Root open={open} onOpenChange={setOpen} delayDuration={0}>
      <Primitive.Trigger
        type="button"
        onPointerDown={keep}
        onClick={(event) => {
          keep(event);
          setOpen(true);
        }}
        className="inline-flex cursor-help items-center gap-1 rounded-sm hover:text-ink pointer-coarse:min-h-10"
      >
        {children}
        <Info aria-hidden className="size-3.5 shrink-0" />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content sideOffset={6} collisionPadding={8} className={contentClass}>
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
