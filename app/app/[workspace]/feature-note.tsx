import { CircleSlash } from "lucide-react";
import { getTranslations } from "next-intl/server";

/** Says that nothing can be created on this page now, because administrators turned the feature off. */
export async function FeatureNote() {
  const t = await getTranslations("errors");
  return (
    <p className="mb-5 flex gap-2 rounded-xl border border-line bg-sunken p-4 text-sm">
      <CircleSlash aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-muted" />
      {t("featureOff")}
    </p>
  );
}
