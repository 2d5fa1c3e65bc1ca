"use client";

import { BookOpen, Building2, ChevronsUpDown, Keyboard, LogOut } from "lucide-react";
import { signOut } from "next-auth/react";
import { useTranslations } from "next-intl";
import { deleteDrafts } from "#components/forms/stored-drafts.ts";
import { Avatar } from "#components/ui/avatar";
import { Button } from "#components/ui/button";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "#components/ui/menu";
import { PreferenceItems, type Preferences } from "./preferences.tsx";

interface AccountMenuProps {
  user: { name: string; email: string };
  preferences: Preferences;
  /** Administers the instance. */
  operator?: boolean;
  /** Omitted where there are no shortcuts. */
  onShowShortcuts?: () => void;
}

export function AccountMenu({
  user,
  preferences,
  operator = false,
  onShowShortcuts,
}: AccountMenuProps) {
  const t = useTranslations("shell");
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button
          variant="ghost"
          aria-label={t("account", { name: user.name })}
          className="h-10 w-full justify-start px-2"
        >
          <Avatar name={user.name} />
          <span className="truncate text-ink">{user.name}</span>
          <ChevronsUpDown aria-hidden className="!size-3.5 ml-auto text-ink-faint" />
        </Button>
      </MenuTrigger>
      <MenuContent align="start" side="top" className="w-60">
        <p className="truncate px-2 pt-1.5 pb-1 text-ink-muted text-xs">{user.email}</p>
        <MenuSeparator />
        <PreferenceItems {...preferences} />
        <MenuSeparator />
        <MenuItem asChild>
          <a href="/docs" target="_blank" rel="noreferrer">
            <BookOpen aria-hidden />
            {t("docs")}
          </a>
        </MenuItem>
        {onShowShortcuts ? (
          <MenuItem onSelect={onShowShortcuts}>
            <Keyboard aria-hidden />
            {t("shortcuts")}
          </MenuItem>
        ) : null}
        {operator ? (
          <MenuItem asChild>
            <a href="/admin">
              <Building2 aria-hidden />
              {t("backOffice")}
            </a>
          </MenuItem>
        ) : null}
        <MenuItem
          onSelect={() => {
            deleteDrafts();
            void signOut({ callbackUrl: "/" });
          }}
        >
          <LogOut aria-hidden />
          {t("signOut")}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
