"use client";

import { BookOpen, Building2, ChevronsUpDown, Keyboard, LogOut, UserRound } from "lucide-react";
import { signOut } from "next-auth/react";
import { useTranslations } from "next-intl";
import { deleteDrafts } from "#components/forms/stored-drafts.ts";
import { Avatar } from "#components/ui/avatar";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "#components/ui/menu";
import { PreferenceItems, type Preferences } from "./preferences.tsx";

export interface AccountMenuProps {
  user: { name: string; email: string };
  preferences: Preferences;
  operator?: boolean;
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
      <NameTrigger label={t("account", { name: user.name })} name={user.name} />
      <MenuContent align="start" side="top" className="w-60">
        <p className="truncate px-2 pt-1.5 pb-1 text-ink-muted text-xs">{user.email}</p>
        <MenuSeparator />
        <MenuItem asChild>
          <a href="/app/account">
            <UserRound aria-hidden />
            {t("accountSettings")}
          </a>
        </MenuItem>
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

interface NameTriggerProps {
  label: string;
  name: string;
  className?: string;
}

/** The button that opens the menu of a person or a workspace. */
export function NameTrigger({ label, name, className }: NameTriggerProps) {
  return (
    <MenuTrigger asChild>
      <Button variant="ghost" aria-label={label} className="h-10 w-full justify-start px-2">
        <Avatar name={name} />
        <span className={classNames("truncate", className, "text-ink")}>{name}</span>
        <ChevronsUpDown aria-hidden className="!size-3.5 ml-auto text-ink-faint" />
      </Button>
    </MenuTrigger>
  );
}
