"use client";

import { Check } from "lucide-react";
import { DropdownMenu as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { Kbd } from "./kbd.tsx";
import { floatingClass } from "./popover.tsx";

export const MenuTrigger = Primitive.Trigger;
export const MenuRadioGroup = Primitive.RadioGroup;

/** Not modal: the page would be hidden from screen readers, although its parts could still get the focus. */
export function Menu(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root modal={false} {...props} />;
}

const itemClass =
  "flex h-8 select-none items-center gap-2 rounded-sm px-2 text-sm outline-none data-[highlighted]:bg-hover data-[disabled]:opacity-50 pointer-coarse:h-10 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-muted";

export function MenuContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={4}
        collisionPadding={8}
        className={classNames(floatingClass, "min-w-44 p-1", className)}
        {...props}
      />
    </Primitive.Portal>
  );
}

interface MenuItemProps extends ComponentProps<typeof Primitive.Item> {
  danger?: boolean;
}

export function MenuKey({ children }: { children: string }) {
  return (
    <Kbd aria-hidden className="ml-auto pointer-coarse:hidden">
      {children}
    </Kbd>
  );
}

export function MenuItem({ className, danger = false, ...props }: MenuItemProps) {
  return (
    <Primitive.Item
      className={classNames(
        itemClass,
        danger && "text-danger data-[highlighted]:bg-danger-soft [&_svg]:text-danger",
        className,
      )}
      {...props}
    />
  );
}

export function MenuRadioItem({
  className,
  children,
  ...props
}: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem className={classNames(itemClass, className)} {...props}>
      {children}
      <Primitive.ItemIndicator className="ml-auto">
        <Check aria-hidden className="!size-3.5 !text-accent" />
      </Primitive.ItemIndicator>
    </Primitive.RadioItem>
  );
}

export function MenuLabel({ className, ...props }: ComponentProps<typeof Primitive.Label>) {
  return (
    <Primitive.Label
      className={classNames("px-2 pt-2 pb-1 font-medium text-ink-faint text-xs", className)}
      {...props}
    />
  );
}

export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-line" />;
}
