import { getTranslations } from "next-intl/server";
import { ListLoading } from "../../../../components/links/list-loading.tsx";
import { PageHead } from "../../../../components/shell/page-head.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";

export default async function LinksLoading() {
  const [t, common] = await Promise.all([getTranslations("linksPage"), getTranslations("common")]);
  return (
    <>
      <PageHead heading={t("heading")}>
        <Skeleton className="h-8 w-28" />
      </PageHead>
      <p role="status" className="sr-only">
        {common("loading")}
      </p>
      <ListLoading />
    </>
  );
}
