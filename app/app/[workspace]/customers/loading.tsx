import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function CustomersLoading() {
  const t = await getTranslations("customers");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
