import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function DomainsLoading() {
  const t = await getTranslations("domains");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
