import { getTranslations } from "next-intl/server";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";

export default async function SettingsLoading() {
  const t = await getTranslations("common");
  return (
    <div className="grid gap-5">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      <Skeleton className="h-7 w-40" />
      <Skeleton className="h-64 max-w-xl" />
    </div>
  );
}
