import { useTranslations } from "next-intl";
import { copyText } from "#components/ui/clipboard.ts";
import { toast } from "#components/ui/toast";
import type { Link } from "#lib/links/fields/schema";

/** Copies a short link and shows a toast, because no button’s icon can change. */
export function useCopyLink(): (link: Link) => void {
  const t = useTranslations("common");
  return (link) => {
    copyText(link.shortLink).then(
      (copied) => (copied ? toast.success(t("copied")) : toast.error(t("copyFailed"))),
      () => toast.error(t("copyFailed")),
    );
  };
}

export function visitLink({ shortLink }: Link): void {
  window.open(shortLink, "_blank", "noreferrer");
}
