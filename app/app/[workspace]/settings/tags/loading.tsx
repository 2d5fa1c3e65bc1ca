import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function TagsLoading() {
  const t = await getTranslations("tags");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
