import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function SsoLoading() {
  const t = await getTranslations("sso");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
