import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function ImportsLoading() {
  const t = await getTranslations("imports");
  return <TableLoading heading={t("heading")} />;
}
