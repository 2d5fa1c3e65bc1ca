import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function DomainLoading() {
  const t = await getTranslations("domains");
  return <TableLoading heading={t("heading")} />;
}
