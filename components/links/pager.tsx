import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "../ui/button.tsx";

interface PagerProps {
  previous: string | undefined;
  next: string | undefined;
}

/** Steps between pages of a list; an end of the list has no step beyond it. */
export function Pager({ previous, next }: PagerProps) {
  const t = useTranslations("links");
  if (!previous && !next) return null;
  return (
    <nav aria-label={t("pages")} className="ml-auto flex gap-2">
      {previous ? (
        <Button asChild>
          <Link href={previous}>
            <ChevronLeft aria-hidden />
            {t("previousPage")}
          </Link>
        </Button>
      ) : null}
      {next ? (
        <Button asChild>
          <Link href={next}>
            {t("nextPage")}
            <ChevronRight aria-hidden />
          </Link>
        </Button>
      ) : null}
    </nav>
  );
}
