import { ShieldAlert } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";

interface BannedBannerProps {
  /** Why, written by an administrator. */
  reason: string;
  /** The page where an owner can appeal; null: the person is no owner. */
  appeal: string | null;
  /** The page of exports; null: the person may not export. */
  exports: string | null;
}

/** Tells members why their workspace is banned. */
export function BannedBanner({ reason, appeal, exports: target }: BannedBannerProps) {
  const t = useTranslations("banned");
  return (
    <div
      role="status"
      className="mb-5 grid gap-2 rounded-lg border border-danger/40 bg-danger/5 px-4 py-3 text-sm"
    >
      <p className="flex items-center gap-2 font-medium">
        <ShieldAlert aria-hidden className="size-4 shrink-0 text-danger" />
        {t("title")}
      </p>
      <p className="break-words">{t("text", { reason })}</p>
      <p className="flex flex-wrap gap-4">
        {appeal ? (
          <a className="underline" href={appeal}>
            {t("appeal")}
          </a>
        ) : null}
        {target ? (
          <Link className="underline" href={target}>
            {t("export")}
          </Link>
        ) : null}
      </p>
    </div>
  );
}
