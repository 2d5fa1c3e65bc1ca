"use client";

import {
  Archive,
  ArchiveRestore,
  BarChart3,
  CopyPlus,
  Ellipsis,
  ExternalLink,
  Pencil,
  QrCode,
  Trash2,
} from "lucide-react";
import NextLink from "next/link";
import { useTranslations } from "next-intl";
import { ShortcutHint } from "#components/shell/shortcut-hint";
import { Button } from "#components/ui/button";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "#components/ui/menu";
import type { Link } from "#lib/links/fields/schema";
import { withoutScheme } from "./names.ts";

/** The actions of one link in a list. All null: read-only. */
export interface RowActions {
  onEdit: (() => void) | null;
  onDuplicate: (() => void) | null;
  onArchive: (() => void) | null;
  onDelete: (() => void) | null;
}

interface LinkMenuProps extends RowActions {
  link: Link;
  /** Its page in the dashboard. */
  href: string;
}

export function LinkMenu({ link, href, onEdit, onDuplicate, onArchive, onDelete }: LinkMenuProps) {
  const t = useTranslations("links");
  const common = useTranslations("common");
  const group = useTranslations("linkGroup");
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t("more", { link: withoutScheme(link.shortLink) })}
          className="relative z-10"
        >
          <Ellipsis aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent align="end">
        <MenuItem asChild>
          <NextLink href={href}>
            <BarChart3 aria-hidden />
            {t("details")}
          </NextLink>
        </MenuItem>
        <MenuItem asChild>
          <NextLink href={`${href}/qr`}>
            <QrCode aria-hidden />
            {t("qrCode")}
            <ShortcutHint name="code" />
          </NextLink>
        </MenuItem>
        <MenuItem asChild>
          <a href={link.shortLink} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden />
            {t("open")}
            <ShortcutHint name="visit" />
          </a>
        </MenuItem>
        {onEdit ? (
          <MenuItem onSelect={onEdit}>
            <Pencil aria-hidden />
            {common("edit")}
            <ShortcutHint name="edit" />
          </MenuItem>
        ) : null}
        {onDuplicate ? (
          <MenuItem onSelect={onDuplicate}>
            <CopyPlus aria-hidden />
            {group("duplicate")}
            <ShortcutHint name="duplicate" />
          </MenuItem>
        ) : null}
        {onArchive ? (
          <MenuItem onSelect={onArchive}>
            {link.archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
            {link.archived ? group("unarchive") : group("archive")}
            <ShortcutHint name="archive" />
          </MenuItem>
        ) : null}
        {onDelete ? (
          <>
            <MenuSeparator />
            <MenuItem danger onSelect={onDelete}>
              <Trash2 aria-hidden />
              {common("delete")}
              <ShortcutHint name="delete" />
            </MenuItem>
          </>
        ) : null}
      </MenuContent>
    </Menu>
  );
}
