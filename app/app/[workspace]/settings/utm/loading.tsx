import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function UtmLoading() {
  const t = await getTranslations("utm");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
