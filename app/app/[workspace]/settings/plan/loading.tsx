import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function PlanLoading() {
  const t = await getTranslations("plans");
  return <TableLoading heading={t("heading")} />;
}
