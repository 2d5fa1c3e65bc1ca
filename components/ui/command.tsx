"use client";

import { Command as Primitive } from "cmdk";
import { Search } from "lucide-react";
import { Dialog as DialogPrimitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Overlay } from "./dialog.tsx";

/** The list and its search field without a dialog around them. */
export const Command = Primitive;

interface CommandDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Filters the items. False leaves the filtering to the caller. */
  shouldFilter?: boolean;
  children: ReactNode;
}

export function CommandDialog({
  open,
  onOpenChange,
  title,
  shouldFilter = true,
  children,
}: CommandDialogProps) {
  return (
    <DialogPrimitive.Root open={open} onOpenChange={onOpenChange}>
      <DialogPrimitive.Portal>
        <Overlay />
        <div className="pointer-events-none fixed inset-0 z-50 grid items-start justify-items-center p-3 pt-[10vh]">
          <DialogPrimitive.Content
            aria-describedby={undefined}
            className="pointer-events-auto w-full max-w-xl overflow-hidden rounded-xl border border-line bg-surface text-ink shadow-floating outline-none data-[state=closed]:animate-leave data-[state=open]:animate-enter"
          >
            <DialogPrimitive.Title className="sr-only">{title}</DialogPrimitive.Title>
            <Primitive label={title} shouldFilter={shouldFilter} loop>
              {children}
            </Primitive>
          </DialogPrimitive.Content>
        </div>
      </DialogPrimitive.Portal>
    </DialogPrimitive.Root>
  );
}

export function CommandInput(props: ComponentProps<typeof Primitive.Input>) {
  return (
    <div className="flex items-center gap-2.5 border-line border-b px-4">
      <Search aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <Primitive.Input className="h-12 flex-1 bg-transparent text-base outline-none" {...props} />
    </div>
  );
}

export function CommandList(props: ComponentProps<typeof Primitive.List>) {
  return (
    <Primitive.List
      className="max-h-[min(24rem,60dvh)] scroll-py-1 overflow-y-auto p-1.5"
      {...props}
    />
  );
}

export function CommandEmpty({ children }: { children: ReactNode }) {
  return (
    <Primitive.Empty className="px-3 py-8 text-center text-ink-muted text-sm">
      {children}
    </Primitive.Empty>
  );
}

export function CommandGroup({ className, ...props }: ComponentProps<typeof Primitive.Group>) {
  return (
    <Primitive.Group
      className={classNames(
        "[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-faint [&_[cmdk-group-heading]]:text-xs",
        className,
      )}
      {...props}
    />
  );
}

export function CommandItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      className={classNames(
        "flex min-h-9 select-none items-center gap-2.5 rounded-md px-2.5 text-sm data-[selected=true]:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-muted",
        className,
      )}
      {...props}
    />
  );
}
