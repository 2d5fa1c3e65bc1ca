import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function ExportLoading() {
  const t = await getTranslations("takeouts");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
