import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function GatewaysLoading() {
  const t = await getTranslations("gateways");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
