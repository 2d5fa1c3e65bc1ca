"use client";

import { ChevronsUpDown, Plus } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Avatar } from "#components/ui/avatar";
import { Button } from "#components/ui/button";
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  MenuTrigger,
} from "#components/ui/menu";

export interface WorkspaceName {
  name: string;
  slug: string;
}

interface WorkspaceMenuProps {
  current: WorkspaceName;
  workspaces: readonly WorkspaceName[];
}

export function WorkspaceMenu({ current, workspaces }: WorkspaceMenuProps) {
  const t = useTranslations("shell");
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button
          variant="ghost"
          aria-label={t("switchWorkspace", { name: current.name })}
          className="h-10 w-full justify-start px-2"
        >
          <Avatar name={current.name} />
          <span className="truncate font-semibold text-ink">{current.name}</span>
          <ChevronsUpDown aria-hidden className="!size-3.5 ml-auto text-ink-faint" />
        </Button>
      </MenuTrigger>
      <MenuContent align="start" className="w-60">
        <MenuLabel>{t("workspaces")}</MenuLabel>
        {workspaces.map(({ name, slug }) => (
          <MenuItem key={slug} asChild>
            <Link
              href={`/app/${slug}/links`}
              aria-current={slug === current.slug ? "true" : undefined}
            >
              <Avatar name={name} className="size-5" />
              <span className="truncate">{name}</span>
            </Link>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem asChild>
          <Link href="/app/new">
            <Plus aria-hidden />
            {t("newWorkspace")}
          </Link>
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
