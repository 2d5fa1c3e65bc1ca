import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function OptOutsLoading() {
  const t = await getTranslations("optOuts");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
