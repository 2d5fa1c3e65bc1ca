import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function PublicKeysLoading() {
  const t = await getTranslations("publicKeys");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
