import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { PrefetchLink } from "../shell/prefetch-link.tsx";
import { Button } from "../ui/button.tsx";
import type { PageSize } from "./page-size.ts";
import { SizeField } from "./size-field.tsx";

interface PagerProps {
  previous: string | undefined;
  next: string | undefined;
  /** Of the list of links, where the size can be chosen. */
  size?: PageSize;
}

/** Links to the neighboring pages of a list, as far as they exist. */
export function Pager({ previous, next, size }: PagerProps) {
  const t = useTranslations("links");
  if (!previous && !next && size === undefined) return null;
  return (
    <nav aria-label={t("pages")} className="ml-auto flex items-center gap-2">
      {size === undefined ? null : <SizeField size={size} />}
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
