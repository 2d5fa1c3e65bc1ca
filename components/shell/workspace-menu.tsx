"use client";

import { Plus } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Avatar } from "#components/ui/avatar";
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator } from "#components/ui/menu";
import { NameTrigger } from "./account-menu.tsx";

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
      <NameTrigger
        label={t("switchWorkspace", { name: current.name })}
        name={current.name}
        className="font-semibold"
      />
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
