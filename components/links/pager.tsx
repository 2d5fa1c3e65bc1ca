import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Button } from "#components/ui/button";

interface PageSizeOption {
  size: number;
  href: string;
  current: boolean;
}

interface PagerProps {
  /** Which rows the page has, and of how many. */
  position?: string;
  previous: string | undefined;
  next: string | undefined;
  /** The URL of each page size, if the size can be chosen. */
  sizes?: readonly PageSizeOption[];
}

export function Pager({ position, previous, next, sizes }: PagerProps) {
  const t = useTranslations("links");
  if (!previous && !next && sizes === undefined) return null;
  return (
    <nav aria-label={t("pages")} className="ml-auto flex flex-wrap items-center justify-end gap-2">
      {position ? <p className="mr-2 text-ink-muted text-sm tabular-nums">{position}</p> : null}
      {sizes ? <Sizes sizes={sizes} /> : null}
      {previous ? (
        <Button asChild>
          <PrefetchLink href={previous}>
            <ChevronLeft aria-hidden />
            {t("previousPage")}
          </PrefetchLink>
        </Button>
      ) : null}
      {next ? (
        <Button asChild>
          <PrefetchLink href={next}>
            {t("nextPage")}
            <ChevronRight aria-hidden />
          </PrefetchLink>
        </Button>
      ) : null}
    </nav>
  );
}

function Sizes({ sizes }: { sizes: readonly PageSizeOption[] }) {
  const t = useTranslations("links");
  return (
    <ul aria-label={t("pageSize")} className="mr-2 flex items-center gap-1 text-sm">
      {sizes.map(({ size, href, current }) => (
        <li key={size}>
          <PrefetchLink
            href={href}
            aria-label={t("perPage", { count: size })}
            aria-current={current ? "true" : undefined}
            className="grid h-8 min-w-8 place-items-center rounded-md px-1.5 text-ink-muted tabular-nums hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:h-11 pointer-coarse:min-w-11"
          >
            {size}
          </PrefetchLink>
        </li>
      ))}
      <li className="text-ink-muted max-sm:sr-only">{t("perPageUnit")}</li>
    </ul>
  );
}
