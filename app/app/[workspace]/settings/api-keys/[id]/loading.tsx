import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function KeyLoading() {
  const t = await getTranslations("apiKeys");
  return <TableLoading heading={t("title")} />;
}
