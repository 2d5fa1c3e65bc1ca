import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function MissedLinksLoading() {
  const t = await getTranslations("missedLinks");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
