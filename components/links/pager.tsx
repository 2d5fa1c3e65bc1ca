import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { PrefetchLink } from "../shell/prefetch-link.tsx";
import { Button } from "../ui/button.tsx";

interface PagerProps {
  previous: string | undefined;
  next: string | undefined;
}

/** Links to the neighboring pages of a list, as far as they exist. */
export function Pager({ previous, next }: PagerProps) {
  const t = useTranslations("links");
  if (!previous && !next) return null;
  return (
    <nav aria-label={t("pages")} className="ml-auto flex gap-2">
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
