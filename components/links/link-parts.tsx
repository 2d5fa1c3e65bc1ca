import { CornerDownRight, Folder, QrCode } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Avatar } from "#components/ui/avatar";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { CopyButton } from "#components/ui/copy-button";
import type { Link } from "#lib/links/fields/schema";
import type { ListedLink } from "#lib/links/reading/schema";
import { statesOf, stateTones } from "./link-state.ts";
import { withoutScheme } from "./names.ts";

export interface Creator {
  name: string;
  byKey: boolean;
}

interface NameProps {
  link: Link;
  href: string;
  compact?: boolean;
}

/** The short link. If there is little room, its domain is cut. A slug longer than the row wraps, but in one-line rows it is cut. */
export function Name({ link, href, compact = false }: NameProps) {
  const t = useTranslations("links");
  const name = withoutScheme(link.shortLink);
  const slash = name.indexOf("/");
  return (
    <span className="flex min-w-0 max-w-full items-center gap-1">
      <PrefetchLink
        data-row
        href={href}
        aria-label={name}
        // The link covers its row, where the title may be cut.
        title={link.title ?? undefined}
        className="flex min-w-0 rounded-xs font-medium text-sm after:absolute after:inset-0"
      >
        <span className="min-w-[2ch] shrink-[9999] truncate">{name.slice(0, slash)}</span>
        <span className={classNames("min-w-0 break-all", compact && "@2xl:truncate")}>
          {name.slice(slash)}
        </span>
      </PrefetchLink>
      <CopyButton
        text={link.shortLink}
        label={t("copy", { link: name })}
        className="relative z-10 size-6 shrink-0 [&_svg]:size-3.5"
      />
      <Button
        asChild
        variant="ghost"
        size="icon"
        className={classNames(
          "relative z-10 size-6 shrink-0 max-sm:hidden [&_svg]:size-3.5",
          compact && "@max-5xl:hidden",
        )}
      >
        <PrefetchLink href={`${href}/qr`} aria-label={t("qr", { link: name })}>
          <QrCode aria-hidden />
        </PrefetchLink>
      </Button>
    </span>
  );
}

export function Destination({ url, className }: { url: string; className?: string }) {
  return (
    <p className={classNames("flex min-w-0 items-center gap-1 text-ink-muted text-sm", className)}>
      <CornerDownRight aria-hidden className="size-3 shrink-0 text-ink-faint" />
      <span className="truncate">{withoutScheme(url)}</span>
    </p>
  );
}

export function CreatedAt({ at, className }: { at: string; className?: string }) {
  const t = useTranslations("links");
  const format = useFormatter();
  return (
    <time
      dateTime={at}
      className={classNames("whitespace-nowrap text-ink-muted text-sm tabular-nums", className)}
    >
      <span className="sr-only">{t("created", { when: "" })}</span>
      {format.dateTime(new Date(at), { dateStyle: "medium" })}
    </time>
  );
}

/** The time of the last click. Empty if there was none. */
export function LastClicked({ at, className }: { at: string | null; className?: string }) {
  const t = useTranslations("links");
  const format = useFormatter();
  return (
    <span
      className={classNames("whitespace-nowrap text-ink-muted text-sm tabular-nums", className)}
    >
      {at ? (
        <time dateTime={at}>
          <span className="sr-only">{t("lastClicked", { when: "" })}</span>
          {format.dateTime(new Date(at), { dateStyle: "medium" })}
        </time>
      ) : (
        <span className="sr-only">{t("neverClicked")}</span>
      )}
    </span>
  );
}

export function FolderName({ name, className }: { name: string | undefined; className?: string }) {
  const t = useTranslations("links");
  return (
    <span
      className={classNames(
        "flex min-w-0 items-center gap-1 text-ink-muted text-sm",
        name === undefined && "@max-2xl:hidden",
        className,
      )}
    >
      {name === undefined ? null : (
        <>
          <Folder aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
          <span className="sr-only">{t("inFolder")}</span>
          <span className="truncate">{name}</span>
        </>
      )}
    </span>
  );
}

export function CreatedBy({ by }: { by: Creator | undefined }) {
  const t = useTranslations("links");
  if (!by) return null;
  const text = t(by.byKey ? "madeByKey" : "madeBy", { name: by.name });
  return (
    // Placed above the clickable area of the row, so that hovering shows the name.
    <span title={text} className="relative z-10 flex shrink-0 items-center gap-1">
      {by.byKey ? <Badge>API</Badge> : null}
      <Avatar name={by.name} className="size-5" />
      <span className="sr-only">{text}</span>
    </span>
  );
}

export function Clicks({ link, className }: { link: Link; className?: string }) {
  const t = useTranslations("links");
  return (
    <p className={classNames("shrink-0 text-sm tabular-nums", className)}>
      {t("clicks", { count: link.clicks })}
    </p>
  );
}

interface TagsProps {
  link: ListedLink;
  now: number;
  /** States are shown even if tags are not. */
  hasTags: boolean;
  className?: string;
}

export function Tags({ link, now, hasTags, className }: TagsProps) {
  const t = useTranslations("links");
  const format = useFormatter();
  const due = new Date(link.retirementDue ?? now);
  const date = format.dateTime(due, { dateStyle: "medium" });
  return (
    <ul className={classNames("flex flex-wrap gap-1 empty:hidden", className)}>
      {statesOf(link, now).map((state) => (
        <li key={state}>
          <Badge tone={stateTones[state]}>{t(`states.${state}`, { date })}</Badge>
        </li>
      ))}
      {link.archived ? (
        <li>
          <Badge>{t("archived")}</Badge>
        </li>
      ) : null}
      {hasTags
        ? link.tags.map((tag) => (
            <li key={tag.id} className="min-w-0">
              <Badge tone={tag.color}>{tag.name}</Badge>
            </li>
          ))
        : null}
    </ul>
  );
}
