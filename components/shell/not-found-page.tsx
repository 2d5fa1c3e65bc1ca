import { useTranslations } from "next-intl";
import { MissingPage } from "./missing-page.tsx";

/** A page that does not exist, or is hidden from this person: both look the same. */
export function NotFound({ home, label }: { home: string; label: string }) {
  const t = useTranslations("missing");
  return <MissingPage heading={t("heading")} text={t("text")} home={home} homeLabel={label} />;
}
