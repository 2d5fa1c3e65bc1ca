"use client";

import { BarChart3, Ellipsis, FolderInput, Pencil, PencilLine, QrCode } from "lucide-react";
import NextLink from "next/link";
import { useTranslations } from "next-intl";
import { Fragment, type ReactNode, useEffect, useState } from "react";
import { ShortcutHint } from "#components/shell/shortcut-hint";
import { Avatar } from "#components/ui/avatar";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#components/ui/menu";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { parseUrl } from "#lib/basics/urls/schema";
import type { Link } from "#lib/links/fields/schema";
import { columnClasses } from "./column-heads.tsx";
import { ChangeItems, type ChangeItemsProps, VisitItem } from "./link-menu.tsx";
import {
  Clicks,
  CreatedAt,
  CreatedBy,
  type Creator,
  Destination,
  FolderName,
  LastClicked,
  Name,
  Tags,
} from "./link-parts.tsx";
import type { Column, ListLayout } from "./list-layout.ts";
import { hostOf, pageOf, withoutScheme } from "./names.ts";
import { SelectBox } from "./select-box.tsx";
import { linePaths } from "./spark-path.ts";

interface LinkItemProps {
  workspace: string;
  link: Link;
  daily: readonly number[] | undefined;
  creator: Creator | undefined;
  folder: string | undefined;
  layout: ListLayout;
  /** The time used to determine states, which must be the same on the server and in the browser. */
  now: number;
  selected: boolean;
  /** `range` selects all rows since the last selected one. */
  onSelect: (range: boolean) => void;
  actions: RowActions;
}

const itemClass =
  "relative transition-colors hover:bg-sunken has-[[data-row]:focus-visible]:bg-sunken has-[input:checked]:bg-accent-soft";

export function LinkRow({ workspace, link, layout, ...rest }: LinkItemProps) {
  const { selected, onSelect, actions } = rest;
  const href = pageOf(workspace, link.id);
  const t = useTranslations("links");
  const compact = layout.density === "compact";
  const name = withoutScheme(link.shortLink);
  return (
    <li
      data-link={link.id}
      draggable={actions.onMove !== null}
      className={classNames(
        itemClass,
        // In a narrow list, tags and the folder have a line of their own.
        "flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 last:border-b-0 @2xl:flex-nowrap",
        compact ? "py-1" : "py-2.5",
      )}
    >
      <SelectBox label={t("select", { link: name })} checked={selected} onChange={onSelect} />
      {compact ? null : (
        <SiteIcon workspace={workspace} url={link.url} className="hidden size-8 @2xl:block" />
      )}
      <RowHead link={link} href={href} compact={compact}>
        {layout.columns.includes("tags") ? null : (
          <Tags link={link} now={rest.now} hasTags={false} />
        )}
      </RowHead>
      <RowColumns link={link} layout={layout} {...rest} />
      <LinkMenu link={link} href={href} {...actions} />
    </li>
  );
}

interface RowHeadProps {
  link: Link;
  href: string;
  compact: boolean;
  children: ReactNode;
}

function RowHead({ link, href, compact, children }: RowHeadProps) {
  const { title, url } = link;
  if (compact) {
    return (
      <div className="grid min-w-0 flex-1 basis-0 @2xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] @2xl:items-center @2xl:gap-3">
        <div className="flex min-w-0 items-center gap-x-1">
          <Name link={link} href={href} compact />
          {children}
        </div>
        {title ? (
          <span className="truncate text-ink-muted text-sm">{title}</span>
        ) : (
          <Destination url={url} className="@max-2xl:hidden" />
        )}
      </div>
    );
  }
  return (
    <div className="grid min-w-0 flex-1 basis-0 gap-0.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-1">
        <Name link={link} href={href} />
        {children}
      </div>
      <div className="flex min-w-0 gap-x-3 @max-2xl:flex-col @max-2xl:gap-y-0.5">
        {title ? (
          <span className="truncate text-ink-muted text-sm @2xl:max-w-1/2 @2xl:shrink-0">
            {title}
          </span>
        ) : null}
        <Destination url={url} />
      </div>
    </div>
  );
}

type RowColumnsProps = Omit<LinkItemProps, "workspace" | "selected" | "onSelect" | "actions">;

function RowColumns({ link, daily, creator, folder, layout, now }: RowColumnsProps) {
  const compact = layout.density === "compact";
  const cells: Readonly<Record<Column, ReactNode>> = {
    tags: (
      <Tags
        link={link}
        now={now}
        hasTags
        className={classNames(
          "@2xl:empty:flex",
          columnClasses.tags,
          // One line of tags, so that all rows have the same height.
          compact && "@2xl:max-h-5 @2xl:overflow-hidden",
        )}
      />
    ),
    folder: <FolderName name={folder} className={columnClasses.folder} />,
    creator: (
      <span className={columnClasses.creator}>
        <CreatedBy by={creator} />
      </span>
    ),
    created: <CreatedAt at={link.createdAt} className={columnClasses.created} />,
    lastClicked: <LastClicked at={link.lastClicked} className={columnClasses.lastClicked} />,
    clicks: (
      <div
        className={classNames(
          "flex flex-col items-end @2xl:flex-row @2xl:items-center @2xl:gap-2",
          columnClasses.clicks,
        )}
      >
        <Sparkline
          daily={daily}
          className={classNames(
            "order-last h-4 w-16 @2xl:hidden @3xl:order-none @3xl:block @7xl:w-24",
            compact ? "@max-2xl:hidden" : "@2xl:h-7",
          )}
        />
        <Clicks link={link} className="text-right @2xl:w-20" />
      </div>
    ),
  };
  const { columns } = layout;
  return (
    <>
      <div className="flex gap-1 @max-2xl:not-[:has(li,svg)]:hidden @max-2xl:order-last @max-2xl:basis-full @max-2xl:flex-wrap @max-2xl:pl-7 @2xl:contents">
        {columns.includes("tags") ? cells.tags : null}
        {columns.includes("folder") ? cells.folder : null}
      </div>
      {columns.map((column) =>
        column === "tags" || column === "folder" ? null : (
          <Fragment key={column}>{cells[column]}</Fragment>
        ),
      )}
    </>
  );
}

export function LinkCard({ workspace, link, daily, creator, folder, ...rest }: LinkItemProps) {
  const { layout, now, selected, onSelect, actions } = rest;
  const href = pageOf(workspace, link.id);
  const t = useTranslations("links");
  const name = withoutScheme(link.shortLink);
  const compact = layout.density === "compact";
  const has = (column: Column) => layout.columns.includes(column);
  return (
    <li
      data-link={link.id}
      draggable={actions.onMove !== null}
      className={classNames(
        itemClass,
        "flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface",
        compact ? "p-3" : "p-4",
      )}
    >
      <div className="flex min-w-0 items-center gap-2">
        <SelectBox label={t("select", { link: name })} checked={selected} onChange={onSelect} />
        <SiteIcon workspace={workspace} url={link.url} className="ml-1 size-6" />
        <div className="flex min-w-0 flex-1 items-center gap-1">
          <Name link={link} href={href} />
        </div>
        <LinkMenu link={link} href={href} {...actions} />
      </div>
      <div className="grid min-w-0 gap-0.5">
        {link.title ? <p className="truncate text-sm">{link.title}</p> : null}
        <Destination url={link.url} />
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 empty:hidden">
        <Tags link={link} now={now} hasTags={has("tags")} />
        {has("folder") && folder ? <FolderName name={folder} /> : null}
      </div>
      {has("clicks") ? (
        <Sparkline
          daily={daily}
          className={classNames("mt-auto w-full", compact ? "h-7" : "h-12")}
        />
      ) : null}
      <div className="flex flex-wrap items-center justify-between gap-2">
        {has("clicks") ? <Clicks link={link} /> : null}
        <div className="flex min-w-0 items-center gap-2">
          {has("creator") ? <CreatedBy by={creator} /> : null}
          {has("created") ? <CreatedAt at={link.createdAt} /> : null}
        </div>
        {has("lastClicked") ? <LastClicked at={link.lastClicked} /> : null}
      </div>
    </li>
  );
}

interface SiteIconProps {
  workspace: string;
  url: string;
  className: string;
}

function SiteIcon({ workspace, url, className }: SiteIconProps) {
  // Requested after hydration, because sites are slow and the page would wait for them.
  const [alive, setAlive] = useState(false);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => setAlive(true), []);
  const site = parseUrl(url)?.origin ?? "null";
  const params = new URLSearchParams({ site });
  return (
    <span className={classNames("relative shrink-0", className)}>
      <Avatar
        name={hostOf(url)}
        className={classNames("size-full rounded-lg text-sm", loaded && "invisible")}
      />
      {alive && site !== "null" ? (
        // biome-ignore lint/performance/noImgElement: already small, and usually cached
        <img
          src={`/app/${workspace}/site-icons?${params}`}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={() => setLoaded(true)}
          className={classNames(
            "absolute inset-0 size-full rounded-lg border border-line bg-surface object-contain p-1",
            !loaded && "opacity-0",
          )}
        />
      ) : null}
    </span>
  );
}

const height = 56;
const flatWidth = 30;

interface SparklineProps {
  /** Clicks per day, oldest first, ending with today so far. Undefined if there were none on any of these days. */
  daily: readonly number[] | undefined;
  className?: string;
}

/**
 * A link’s clicks per day as a line. Drawn without a chart library, because a list has a hundred of them. The browser draws it
 * from the data of the page, because lines in the HTML would be the largest part of a row.
 */
function Sparkline({ daily, className }: SparklineProps) {
  const t = useTranslations("links");
  const count = daily?.reduce((sum, clicks) => sum + clicks, 0) ?? 0;
  const isHydrated = useHydrated();
  const { line, today, lastX } = linePaths(daily ?? [], height);
  // Chrome smears a line that is stretched from a single unit over the whole page.
  const width = line === "" ? flatWidth : lastX + 1;
  const stroke = {
    vectorEffect: "non-scaling-stroke",
    strokeWidth: 1.5,
    strokeLinejoin: "round",
  } as const;
  return (
    <svg
      role="img"
      aria-label={t("spark", { count })}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={classNames("shrink-0 overflow-visible", className)}
    >
      {!isHydrated ? null : line === "" ? (
        <path {...stroke} d={`M0 ${height - 1}H${width}`} className="fill-none stroke-line" />
      ) : (
        <>
          <path d={`${line}V${height}H0Z`} className="fill-accent-soft" />
          <path {...stroke} d={line} className="fill-none stroke-accent" />
          <path {...stroke} d={today} strokeDasharray="2 2" className="fill-none stroke-accent" />
        </>
      )}
    </svg>
  );
}

/** The actions of one link in a list. Each is null if the list is read-only. */
interface RowActions extends Omit<ChangeItemsProps, "link"> {
  onEdit: (() => void) | null;
  onQuickEdit: (() => void) | null;
  onMove: (() => void) | null;
}

interface LinkMenuProps extends RowActions {
  link: Link;
  href: string;
}

function LinkMenu({ link, href, onEdit, onQuickEdit, onMove, ...changes }: LinkMenuProps) {
  const t = useTranslations("links");
  const common = useTranslations("common");
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
        <VisitItem link={link} />
        {onQuickEdit ? (
          <MenuItem onSelect={onQuickEdit}>
            <PencilLine aria-hidden />
            {t("quickEdit")}
            <ShortcutHint name="quickEdit" />
          </MenuItem>
        ) : null}
        {onEdit ? (
          <MenuItem onSelect={onEdit}>
            <Pencil aria-hidden />
            {common("edit")}
            <ShortcutHint name="edit" />
          </MenuItem>
        ) : null}
        {onMove ? (
          <MenuItem onSelect={onMove}>
            <FolderInput aria-hidden />
            {t("move")}
            <ShortcutHint name="move" />
          </MenuItem>
        ) : null}
        <ChangeItems link={link} {...changes} />
      </MenuContent>
    </Menu>
  );
}
