"use client";

import { BarChart3, Ellipsis, Pencil, QrCode } from "lucide-react";
import NextLink from "next/link";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ShortcutHint } from "#components/shell/shortcut-hint";
import { Avatar } from "#components/ui/avatar";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#components/ui/menu";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { parseUrl } from "#lib/basics/urls/schema";
import type { Link } from "#lib/links/fields/schema";
import { ChangeItems, type ChangeItemsProps, VisitItem } from "./link-menu.tsx";
import {
  Clicks,
  CreatedAt,
  CreatedBy,
  type Creator,
  Destination,
  Name,
  Tags,
} from "./link-parts.tsx";
import type { Density } from "./list-layout.ts";
import { hostOf, pageOf, withoutScheme } from "./names.ts";
import { SelectBox } from "./select-box.tsx";
import { linePaths } from "./spark-path.ts";

interface LinkItemProps {
  workspace: string;
  link: Link;
  daily: readonly number[] | undefined;
  creator: Creator | undefined;
  density: Density;
  /** The time used to determine states, which must be the same on the server and in the browser. */
  now: number;
  selected: boolean;
  /** `range` selects all rows since the last selected one. */
  onSelect: (range: boolean) => void;
  actions: RowActions;
}

const itemClass =
  "relative transition-colors hover:bg-sunken has-[[data-row]:focus-visible]:bg-sunken has-[input:checked]:bg-accent-soft";

export function LinkRow({ workspace, link, daily, creator, density, ...rest }: LinkItemProps) {
  const { selected, onSelect, actions, now } = rest;
  const href = pageOf(workspace, link.id);
  const t = useTranslations("links");
  const compact = density === "compact";
  const name = withoutScheme(link.shortLink);
  return (
    <li
      data-link={link.id}
      className={classNames(
        itemClass,
        // Below md, tags have a line of their own.
        "flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 last:border-b-0 md:flex-nowrap",
        compact ? "py-1" : "py-2.5",
      )}
    >
      <SelectBox label={t("select", { link: name })} checked={selected} onChange={onSelect} />
      {compact ? null : (
        <SiteIcon workspace={workspace} url={link.url} className="hidden size-8 sm:block" />
      )}
      <div
        className={classNames(
          "min-w-0 flex-1 basis-0",
          compact ? "max-sm:grid sm:flex sm:items-center sm:gap-3" : "grid gap-0.5",
        )}
      >
        <div
          className={classNames(
            "flex min-w-0 items-center gap-x-1 max-sm:flex-wrap",
            compact && "sm:w-2/5 sm:shrink-0",
          )}
        >
          <Name link={link} href={href} />
          {link.title ? (
            <span
              className={classNames(
                "min-w-0 truncate text-ink-muted text-sm max-sm:basis-full sm:min-w-24 sm:shrink-[1000]",
                compact && "sm:hidden",
              )}
            >
              {link.title}
            </span>
          ) : null}
        </div>
        <Destination url={link.url} className={compact ? "max-sm:hidden" : ""} />
      </div>
      <Tags
        link={link}
        now={now}
        className="max-md:order-last max-md:basis-full max-md:pl-8 md:max-w-60 md:shrink-0 md:justify-end xl:max-w-96"
      />
      <CreatedBy by={creator} className="hidden xl:flex" />
      <CreatedAt at={link.createdAt} className="hidden w-28 shrink-0 text-right lg:block" />
      <div className="flex shrink-0 flex-col items-end sm:flex-row sm:items-center sm:gap-3">
        <Sparkline
          daily={daily}
          className={classNames(
            "order-last w-16 sm:order-none sm:w-24",
            compact ? "h-4" : "h-4 sm:h-7",
            compact && "max-sm:hidden",
          )}
        />
        <Clicks link={link} className="text-right sm:w-20" />
      </div>
      <LinkMenu link={link} href={href} {...actions} />
    </li>
  );
}

export function LinkCard({ workspace, link, daily, creator, density, ...rest }: LinkItemProps) {
  const { selected, onSelect, actions, now } = rest;
  const href = pageOf(workspace, link.id);
  const t = useTranslations("links");
  const name = withoutScheme(link.shortLink);
  return (
    <li
      data-link={link.id}
      className={classNames(
        itemClass,
        "flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface",
        density === "compact" ? "p-3" : "p-4",
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
      <Tags link={link} now={now} />
      <Sparkline
        daily={daily}
        className={classNames("mt-auto w-full", density === "compact" ? "h-7" : "h-12")}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Clicks link={link} />
        <div className="flex min-w-0 items-center gap-2">
          <CreatedBy by={creator} className="flex" />
          <CreatedAt at={link.createdAt} />
        </div>
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
  const width = lastX + 1;
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
}

interface LinkMenuProps extends RowActions {
  link: Link;
  href: string;
}

function LinkMenu({ link, href, onEdit, ...changes }: LinkMenuProps) {
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
        {onEdit ? (
          <MenuItem onSelect={onEdit}>
            <Pencil aria-hidden />
            {common("edit")}
            <ShortcutHint name="edit" />
          </MenuItem>
        ) : null}
        <ChangeItems link={link} {...changes} />
      </MenuContent>
    </Menu>
  );
}
