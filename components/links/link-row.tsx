"use client";

import { CornerDownRight, QrCode } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { Link } from "#lib/links/fields/schema";
import { PrefetchLink } from "../shell/prefetch-link.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { LinkMenu, type RowActions } from "./link-menu.tsx";
import type { Density } from "./list-layout.ts";
import { pageOf, withoutScheme } from "./names.ts";
import { SelectBox } from "./select-box.tsx";
import { SiteIcon } from "./site-icon.tsx";
import { Sparkline } from "./sparkline.tsx";

export interface Creator {
  name: string;
  /** Created by their API key. */
  byKey: boolean;
}

interface LinkItemProps {
  workspace: string;
  link: Link;
  /** Clicks of the last days; undefined: none. */
  daily: readonly number[] | undefined;
  /** undefined: the creator was deleted. */
  creator: Creator | undefined;
  density: Density;
  selected: boolean;
  /** `range`: all rows since the last one. */
  onSelect: (range: boolean) => void;
  actions: RowActions;
}

const itemClass =
  "relative transition-colors hover:bg-sunken has-[[data-row]:focus-visible]:bg-sunken has-[input:checked]:bg-accent-soft";

export function LinkRow({ workspace, link, daily, creator, density, ...rest }: LinkItemProps) {
  const { selected, onSelect, actions } = rest;
  const href = pageOf(workspace, link.id);
  const qr = useTranslations("qr");
  const compact = density === "compact";
  const name = withoutScheme(link.shortLink);
  return (
    <li
      data-link={link.id}
      className={classNames(
        itemClass,
        "flex items-center gap-3 border-line border-b px-3 last:border-b-0",
        compact ? "py-1" : "py-2.5",
      )}
    >
      <SelectBox label={qr("select", { link: name })} checked={selected} onChange={onSelect} />
      {compact ? null : (
        <SiteIcon workspace={workspace} url={link.url} className="hidden size-8 sm:block" />
      )}
      <div
        className={classNames(
          "min-w-0 flex-1",
          compact ? "flex items-center gap-3" : "grid gap-0.5",
        )}
      >
        <div
          className={classNames(
            "flex min-w-0 items-center gap-1",
            compact && "sm:w-2/5 sm:shrink-0",
          )}
        >
          <Name link={link} href={href} />
          {link.title && !compact ? (
            <span className="hidden min-w-0 shrink-[1000] truncate text-ink-muted text-sm sm:inline">
              {link.title}
            </span>
          ) : null}
        </div>
        <Destination url={link.url} className={compact ? "max-sm:hidden" : ""} />
      </div>
      <Tags link={link} className="hidden max-w-52 justify-end md:flex" />
      <CreatedBy by={creator} className="hidden lg:flex" />
      <CreatedAt at={link.createdAt} className="hidden w-24 shrink-0 text-right xl:block" />
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

/** The same as a card, with a larger chart. */
export function LinkCard({ workspace, link, daily, creator, density, ...rest }: LinkItemProps) {
  const { selected, onSelect, actions } = rest;
  const href = pageOf(workspace, link.id);
  const qr = useTranslations("qr");
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
        <SelectBox label={qr("select", { link: name })} checked={selected} onChange={onSelect} />
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
      <Tags link={link} className="flex" />
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

function Name({ link, href }: { link: Link; href: string }) {
  const t = useTranslations("links");
  const name = withoutScheme(link.shortLink);
  return (
    <>
      <PrefetchLink
        data-row
        href={href}
        className="truncate rounded-xs font-medium text-sm after:absolute after:inset-0 sm:max-w-[75%] sm:shrink-0"
      >
        {name}
      </PrefetchLink>
      <CopyButton
        text={link.shortLink}
        label={t("copy", { link: name })}
        className="relative z-10 size-6 [&_svg]:size-3.5"
      />
      <Button
        asChild
        variant="ghost"
        size="icon"
        className="relative z-10 size-6 max-sm:hidden [&_svg]:size-3.5"
      >
        <PrefetchLink href={`${href}/qr`} aria-label={t("qr", { link: name })}>
          <QrCode aria-hidden />
        </PrefetchLink>
      </Button>
    </>
  );
}

function Destination({ url, className }: { url: string; className?: string }) {
  return (
    <p className={classNames("flex min-w-0 items-center gap-1 text-ink-muted text-sm", className)}>
      <CornerDownRight aria-hidden className="size-3 shrink-0 text-ink-faint" />
      <span className="truncate">{withoutScheme(url)}</span>
    </p>
  );
}

function CreatedAt({ at, className }: { at: string; className?: string }) {
  const t = useTranslations("links");
  const format = useFormatter();
  return (
    <time dateTime={at} className={classNames("text-ink-muted text-sm tabular-nums", className)}>
      <span className="sr-only">{t("created", { when: "" })}</span>
      {format.dateTime(new Date(at), { dateStyle: "medium" })}
    </time>
  );
}

/** The creator: the first letter of their name, and whether they used an API key. */
function CreatedBy({ by, className }: { by: Creator | undefined; className: string }) {
  const t = useTranslations("links");
  if (!by) return null;
  const text = t(by.byKey ? "madeByKey" : "madeBy", { name: by.name });
  return (
    // Above the clickable area of the row, so that the pointer reaches the name.
    <span
      title={text}
      className={classNames("relative z-10 shrink-0 items-center gap-1", className)}
    >
      {by.byKey ? <Badge>API</Badge> : null}
      <Avatar name={by.name} className="size-5" />
      <span className="sr-only">{text}</span>
    </span>
  );
}

function Clicks({ link, className }: { link: Link; className?: string }) {
  const t = useTranslations("links");
  return (
    <p className={classNames("shrink-0 text-sm tabular-nums", className)}>
      {t("clicks", { count: link.clicks })}
    </p>
  );
}

function Tags({ link, className }: { link: Link; className?: string }) {
  const t = useTranslations("links");
  return (
    <ul className={classNames("shrink-0 flex-wrap gap-1 empty:hidden", className)}>
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
