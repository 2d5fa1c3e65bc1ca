"use client";

import { useTranslations } from "next-intl";
import { classNames } from "#components/ui/class-names.ts";
import type { Link } from "#lib/links/fields/schema";
import { LinkMenu, type RowActions } from "./link-menu.tsx";
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
import { pageOf, withoutScheme } from "./names.ts";
import { SelectBox } from "./select-box.tsx";
import { SiteIcon } from "./site-icon.tsx";
import { Sparkline } from "./sparkline.tsx";

interface LinkItemProps {
  workspace: string;
  link: Link;
  /** Clicks of the last days; undefined: none. */
  daily: readonly number[] | undefined;
  /** undefined: the creator was deleted. */
  creator: Creator | undefined;
  density: Density;
  /** The time of the states, the same on the server and in the browser. */
  now: number;
  selected: boolean;
  /** `range`: all rows since the last one. */
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

/** The same as a card, with a larger chart. */
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
