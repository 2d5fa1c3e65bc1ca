"use client";

import { Menu as MenuIcon, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { SignInAgain } from "../auth/sign-in-again.tsx";
import { LinkCreator, type LinkCreatorProps } from "../links/link-creator.tsx";
import { NoticeBell } from "../notices/notice-bell.tsx";
import { Button } from "../ui/button.tsx";
import { Sheet, SheetContent, SheetTrigger } from "../ui/sheet.tsx";
import { Navigation, type NavigationProps } from "./navigation.tsx";
import { Palette, type PaletteProps } from "./palette.tsx";
import { useCommandKey } from "./shortcuts.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";

interface AppShellProps
  extends Pick<
      NavigationProps,
      "current" | "workspaces" | "user" | "preferences" | "readsAudit" | "mayExport" | "bell"
    >,
    Pick<LinkCreatorProps, "hosts" | "createLink">,
    Pick<PaletteProps, "findLinks"> {
  children: ReactNode;
}

/** What stands around every page of a workspace. */
export function AppShell({ children, hosts, createLink, findLinks, ...frame }: AppShellProps) {
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  useCommandKey("k", () => setPaletteOpen((open) => !open));
  const navigation = {
    ...frame,
    onSearch: () => setPaletteOpen(true),
    onShowShortcuts: () => setShortcutsOpen(true),
  };
  return (
    <LinkCreator
      workspace={frame.current.slug}
      owner={frame.user.email}
      hosts={hosts}
      createLink={createLink}
    >
      <div className="flex min-h-dvh flex-col md:flex-row">
        <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 border-line border-r bg-sunken p-2 md:block">
          <Navigation {...navigation} />
        </aside>
        <TopBar {...navigation} />
        <main id="content" className="min-w-0 flex-1">
          <div className="mx-auto w-full max-w-5xl px-4 py-5 md:px-8 md:py-8">{children}</div>
        </main>
      </div>
      <Palette
        open={paletteOpen}
        onOpenChange={setPaletteOpen}
        current={frame.current}
        workspaces={frame.workspaces}
        preferences={frame.preferences}
        readsAudit={frame.readsAudit}
        mayExport={frame.mayExport}
        findLinks={findLinks}
        onShowShortcuts={() => setShortcutsOpen(true)}
      />
      <SignInAgain />
      <ShortcutsDialog open={shortcutsOpen} onOpenChange={setShortcutsOpen} />
    </LinkCreator>
  );
}

/** The head of the page on a phone: the navigation waits in a sheet. */
function TopBar(navigation: NavigationProps) {
  const t = useTranslations("shell");
  const path = usePathname();
  const [open, setOpen] = useState(false);
  const closeAnd = (next: () => void) => () => {
    setOpen(false);
    next();
  };
  // Arriving somewhere closes the navigation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the event
  useEffect(() => setOpen(false), [path]);
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-line border-b bg-sunken px-2 md:hidden">
      <Sheet open={open} onOpenChange={setOpen}>
        <SheetTrigger asChild>
          <Button look="ghost" size="icon" aria-label={t("menu")}>
            <MenuIcon aria-hidden />
          </Button>
        </SheetTrigger>
        <SheetContent side="left" title={t("menuTitle")} className="max-w-72 bg-sunken p-3">
          <Navigation
            {...navigation}
            onSearch={closeAnd(navigation.onSearch)}
            onShowShortcuts={closeAnd(navigation.onShowShortcuts)}
          />
        </SheetContent>
      </Sheet>
      <p className="truncate font-semibold text-base">{navigation.current.name}</p>
      <Button
        look="ghost"
        size="icon"
        aria-label={t("search")}
        className="ml-auto"
        onClick={navigation.onSearch}
      >
        <Search aria-hidden />
      </Button>
      <NoticeBell {...navigation.bell} />
    </header>
  );
}
