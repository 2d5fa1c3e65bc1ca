"use client";

import { Menu } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "#components/ui/button";
import { Dialog, DialogContent, DialogTrigger } from "#components/ui/dialog";

interface TopBarProps {
  name: string;
  /** The navigation, in a sheet that `close` closes. */
  navigation: (close: () => void) => ReactNode;
  children?: ReactNode;
}

/** The header of a page on a phone. */
export function TopBar({ name, navigation, children }: TopBarProps) {
  const t = useTranslations("shell");
  const path = usePathname();
  const [open, setOpen] = useState(false);
  // A navigation closes the sheet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the event
  useEffect(() => setOpen(false), [path]);
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-line border-b bg-sunken px-2 md:hidden">
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={t("menu")}>
            <Menu aria-hidden />
          </Button>
        </DialogTrigger>
        <DialogContent side="left" title={t("menuTitle")} className="max-w-72 bg-sunken p-3">
          {navigation(() => setOpen(false))}
        </DialogContent>
      </Dialog>
      <p className="truncate font-semibold text-base">{name}</p>
      {children}
    </header>
  );
}
