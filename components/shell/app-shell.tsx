"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import type { ProofActions } from "#components/accounts/proof-dialog";
import { ProofRequests } from "#components/accounts/proof-request";
import { SignInAgain } from "#components/auth/sign-in-again";
import { LinkCreator, type LinkCreatorProps } from "#components/links/link-creator";
import { lazyPart } from "#components/messages/lazy-part";
import { NotificationBell } from "#components/notifications/notification-bell";
import { Button } from "#components/ui/button";
import { Navigation, type NavigationProps } from "./navigation.tsx";
import type { PaletteProps } from "./palette.tsx";
import { ShellFrame } from "./shell-frame.tsx";
import { useCommandKey, useShortcut } from "./shortcuts.tsx";

const loadPalette = () => import("./palette.tsx");
const Palette = lazyPart(() => loadPalette().then((one) => one.Palette));

const ShortcutsDialog = lazyPart(() =>
  import("./shortcuts-dialog.tsx").then((one) => one.ShortcutsDialog),
);

/** Loads the palette with the first interaction, so that it is ready when it is opened. */
function usePalette() {
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  useEffect(() => {
    // If this fails, the palette is loaded when it is opened.
    const load = () => void loadPalette().catch(() => undefined);
    const once = { once: true, passive: true };
    for (const sign of ["keydown", "pointermove"]) window.addEventListener(sign, load, once);
    return () => {
      for (const sign of ["keydown", "pointermove"]) window.removeEventListener(sign, load);
    };
  }, []);
  function change(next: boolean) {
    setWasOpened(wasOpened || next);
    setOpen(next);
  }
  return { open, wasOpened, change };
}

interface AppShellProps
  extends Omit<NavigationProps, "onSearch" | "onShowShortcuts">,
    Pick<LinkCreatorProps, "hosts" | "zone" | "createLink" | "readRetirementDefault">,
    Pick<PaletteProps, "findLinks"> {
  proof: ProofActions;
  children: ReactNode;
}

export function AppShell(props: AppShellProps) {
  const { children, proof, hosts, zone, createLink, readRetirementDefault, findLinks, ...frame } =
    props;
  const t = useTranslations("shell");
  const palette = usePalette();
  const [shortcutsOpen, setShortcutsOpen] = useState<boolean>();
  useShortcut("overview", () => setShortcutsOpen(true));
  useCommandKey("palette", () => palette.change(!palette.open));
  const navigation = {
    ...frame,
    onSearch: () => palette.change(true),
    onShowShortcuts: () => setShortcutsOpen(true),
  };
  return (
    <LinkCreator
      workspace={frame.current.slug}
      owner={frame.user.email}
      hosts={hosts}
      zone={zone}
      createLink={createLink}
      readRetirementDefault={readRetirementDefault}
    >
      <ShellFrame
        name={frame.current.name}
        navigation={(close) => (
          <Navigation
            {...navigation}
            onSearch={() => {
              close();
              navigation.onSearch();
            }}
            onShowShortcuts={() => {
              close();
              navigation.onShowShortcuts();
            }}
          />
        )}
        bar={
          <>
            <Button
              variant="ghost"
              size="icon"
              aria-label={t("search")}
              className="ml-auto"
              onClick={navigation.onSearch}
            >
              <Search aria-hidden />
            </Button>
            <NotificationBell {...frame.bell} />
          </>
        }
      >
        {children}
      </ShellFrame>
      {palette.wasOpened ? (
        <Palette
          open={palette.open}
          onOpenChange={palette.change}
          {...frame}
          findLinks={findLinks}
          onShowShortcuts={() => setShortcutsOpen(true)}
        />
      ) : null}
      <SignInAgain ask={proof.signIn} />
      <ProofRequests {...proof} />
      {shortcutsOpen === undefined ? null : (
        <ShortcutsDialog open={shortcutsOpen} onOpenChange={setShortcutsOpen} />
      )}
    </LinkCreator>
  );
}
