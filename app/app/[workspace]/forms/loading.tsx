import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function FormsLoading() {
  const t = await getTranslations("forms");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
