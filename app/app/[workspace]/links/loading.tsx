import { getTranslations } from "next-intl/server";
import { ListLoading } from "#components/links/list-loading";
import { PageHead } from "#components/shell/page-head";
import { Skeleton } from "#components/ui/skeleton";

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
