"use client";

import {
  Archive,
  ArchiveRestore,
  BarChart3,
  CornerDownRight,
  Ellipsis,
  ExternalLink,
  Pencil,
  QrCode,
  Trash2,
} from "lucide-react";
import NextLink from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import type { Link } from "#lib/links/schema";
import { NearLink } from "../shell/near-link.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "../ui/menu.tsx";
import { hostOf, withoutScheme } from "./names.ts";
import { SelectBox } from "./select-box.tsx";

interface LinkRowProps {
  link: Link;
  /** Its page in the dashboard. */
  href: string;
  selected: boolean;
  /** `range`: all rows from the last one on. */
  onSelect: (range: boolean) => void;
  /** Null, all: the person may only look. */
  onEdit: (() => void) | null;
  onArchive: (() => void) | null;
  onDelete: (() => void) | null;
}

export function LinkRow({ link, href, selected, onSelect, ...acts }: LinkRowProps) {
  const t = useTranslations("links");
  const qr = useTranslations("qr");
  const format = useFormatter();
  const name = withoutScheme(link.shortLink);
  return (
    <li
      data-link={link.id}
      className="relative flex items-center gap-3 border-line border-b px-3 py-2.5 transition-colors last:border-b-0 hover:bg-sunken has-[[data-row]:focus-visible]:bg-sunken has-[input:checked]:bg-accent-soft"
    >
      <SelectBox label={qr("select", { link: name })} checked={selected} onChange={onSelect} />
      <Avatar name={hostOf(link.url)} className="hidden size-8 rounded-lg text-sm sm:grid" />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <div className="flex min-w-0 items-center gap-1">
          <NearLink
            data-row
            href={href}
            className="truncate rounded-xs font-medium text-sm after:absolute after:inset-0"
          >
            {name}
          </NearLink>
          <CopyButton
            text={link.shortLink}
            label={t("copy", { link: name })}
            className="relative z-10 size-6 [&_svg]:size-3.5"
          />
          {link.title ? (
            <span className="hidden min-w-0 shrink-[1000] truncate text-ink-muted text-sm sm:inline">
              {link.title}
            </span>
          ) : null}
        </div>
        <p className="flex min-w-0 items-center gap-1 text-ink-muted text-sm">
          <CornerDownRight aria-hidden className="size-3 shrink-0 text-ink-faint" />
          <span className="truncate">{withoutScheme(link.url)}</span>
        </p>
      </div>
      <Tags link={link} />
      <time
        dateTime={link.createdAt}
        className="hidden w-24 shrink-0 text-right text-ink-muted text-sm tabular-nums lg:block"
      >
        <span className="sr-only">{t("created", { when: "" })}</span>
        {format.dateTime(new Date(link.createdAt), { dateStyle: "medium" })}
      </time>
      <p className="shrink-0 text-right text-sm tabular-nums sm:w-20">
        {t("clicks", { count: link.clicks })}
      </p>
      <RowMenu link={link} href={href} {...acts} />
    </li>
  );
}

function Tags({ link }: { link: Link }) {
  const t = useTranslations("links");
  return (
    <ul className="hidden max-w-60 shrink-0 flex-wrap justify-end gap-1 empty:hidden md:flex">
      {link.archived ? (
        <li>
          <Badge>{t("archived")}</Badge>
        </li>
      ) : null}
      {link.tags.map((tag) => (
        <li key={tag.id}>
          <Badge tone={tag.color}>{tag.name}</Badge>
        </li>
      ))}
    </ul>
  );
}

type RowMenuProps = Omit<LinkRowProps, "selected" | "onSelect">;

function RowMenu({ link, href, onEdit, onArchive, onDelete }: RowMenuProps) {
  const t = useTranslations("links");
  const qr = useTranslations("qr");
  const common = useTranslations("common");
  const group = useTranslations("linkGroup");
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button
          look="ghost"
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
            {qr("code")}
          </NextLink>
        </MenuItem>
        <MenuItem asChild>
          <a href={link.shortLink} target="_blank" rel="noreferrer">
            <ExternalLink aria-hidden />
            {t("open")}
          </a>
        </MenuItem>
        {onEdit ? (
          <MenuItem onSelect={onEdit}>
            <Pencil aria-hidden />
            {common("edit")}
          </MenuItem>
        ) : null}
        {onArchive ? (
          <MenuItem onSelect={onArchive}>
            {link.archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
            {link.archived ? group("unarchive") : group("archive")}
          </MenuItem>
        ) : null}
        {onDelete ? (
          <>
            <MenuSeparator />
            <MenuItem danger onSelect={onDelete}>
              <Trash2 aria-hidden />
              {common("delete")}
            </MenuItem>
          </>
        ) : null}
      </MenuContent>
    </Menu>
  );
}
