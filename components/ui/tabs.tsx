"use client";

import { Tabs as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

export const Tabs = Primitive.Root;
export const TabsContent = Primitive.Content;

export function TabsList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return (
    <Primitive.List
      className={classNames("inline-flex gap-0.5 rounded-lg bg-hover p-0.5", className)}
      {...props}
    />
  );
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={classNames(
        "flex h-7 items-center gap-1.5 rounded-md px-2.5 font-medium text-ink-muted text-sm transition-colors hover:text-ink data-[state=active]:bg-raised data-[state=active]:text-ink data-[state=active]:shadow-raised pointer-coarse:h-9 [&_svg]:size-3.5",
        className,
      )}
      {...props}
    />
  );
}
