import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function FoldersLoading() {
  const t = await getTranslations("folders");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
