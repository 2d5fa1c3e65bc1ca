import { getTranslations } from "next-intl/server";
import { Skeleton } from "#components/ui/skeleton";

export default async function LinkLoading() {
  const t = await getTranslations("common");
  return (
    <div className="grid gap-5 pt-10">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      <div className="grid gap-2">
        <Skeleton className="h-7 w-64" />
        <Skeleton className="h-4 w-80 max-w-full" />
      </div>
      <Skeleton className="h-32" />
      <Skeleton className="h-96" />
    </div>
  );
}
