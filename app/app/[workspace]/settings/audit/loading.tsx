import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function AuditLoading() {
  const t = await getTranslations("audit");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
