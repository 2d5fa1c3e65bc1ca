import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function ReportsLoading() {
  const t = await getTranslations("emailReports");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
