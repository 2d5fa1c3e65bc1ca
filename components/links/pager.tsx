import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { NearLink } from "../shell/near-link.tsx";
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
          <NearLink href={previous}>
            <ChevronLeft aria-hidden />
            {t("previousPage")}
          </NearLink>
        </Button>
      ) : null}
      {next ? (
        <Button asChild>
          <NearLink href={next}>
            {t("nextPage")}
            <ChevronRight aria-hidden />
          </NearLink>
        </Button>
      ) : null}
    </nav>
  );
}
