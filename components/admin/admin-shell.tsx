"use client";

import { MenuIcon } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import type { ProofActions } from "#components/accounts/proof-dialog";
import { ProofRequests } from "#components/accounts/proof-request";
import { SignInAgain } from "#components/auth/sign-in-again";
import { Mark } from "#components/brand/mark";
import { AccountMenu } from "#components/shell/account-menu";
import { NavigationItem } from "#components/shell/navigation-item";
import type { Preferences } from "#components/shell/preferences";
import { Button } from "#components/ui/button";
import { Sheet, SheetContent, SheetTrigger } from "#components/ui/sheet";
import { entries } from "./entries.ts";

interface AdminNavigationProps {
  user: { name: string; email: string };
  preferences: Preferences;
}

interface AdminShellProps extends AdminNavigationProps {
  proof: ProofActions;
  children: ReactNode;
}

/** The frame around every page of the back office. */
export function AdminShell({ children, proof, ...frame }: AdminShellProps) {
  return (
    <>
      <div className="flex min-h-dvh flex-col md:flex-row">
        <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 border-line border-r bg-sunken p-2 md:block">
          <AdminNavigation {...frame} />
        </aside>
        <TopBar {...frame} />
        <main id="content" className="min-w-0 flex-1">
          <div className="mx-auto w-full max-w-5xl px-4 py-5 md:px-8 md:py-8">{children}</div>
        </main>
      </div>
      <SignInAgain />
      <ProofRequests {...proof} />
    </>
  );
}

function AdminNavigation({ user, preferences }: AdminNavigationProps) {
  const t = useTranslations("admin.shell");
  const nav = useTranslations("admin.nav");
  const shell = useTranslations("shell");
  return (
    <div className="flex h-full flex-col gap-4">
      <p className="flex h-10 items-center gap-2 px-2 font-semibold text-sm">
        <Mark className="size-4 text-accent" />
        {t("name")}
      </p>
      <nav
        aria-label={shell("navigation")}
        className="-my-1 flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-1 py-1"
      >
        <ul className="grid gap-0.5">
          {entries.map(({ href, page, icon }) => (
            <NavigationItem key={href} href={href} icon={icon} exact={href === "/admin"} plain>
              {nav(page)}
            </NavigationItem>
          ))}
        </ul>
        <ul className="mt-auto">
          <NavigationItem href="/app" icon="icon-arrow-left" exact plain>
            {t("dashboard")}
          </NavigationItem>
        </ul>
      </nav>
      <AccountMenu user={user} preferences={preferences} />
    </div>
  );
}

/** The header of the page on a phone: the navigation is in a sheet. */
function TopBar(frame: AdminNavigationProps) {
  const t = useTranslations("admin.shell");
  const shell = useTranslations("shell");
  const path = usePathname();
  const [open, setOpen] = useState(false);
  // A navigation closes the sheet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the event
  useEffect(() => setOpen(false), [path]);
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-line border-b bg-sunken px-2 md:hidden">
      <Sheet open={open} onOpenChange={setOpen}>
        <SheetTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={shell("menu")}>
            <MenuIcon aria-hidden />
          </Button>
        </SheetTrigger>
        <SheetContent side="left" title={shell("menuTitle")} className="max-w-72 bg-sunken p-3">
          <AdminNavigation {...frame} />
        </SheetContent>
      </Sheet>
      <p className="truncate font-semibold text-base">{t("name")}</p>
    </header>
  );
}
