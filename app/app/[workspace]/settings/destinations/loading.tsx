import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function DestinationsLoading() {
  const t = await getTranslations("destinations");
  return <TableLoading heading={t("title")} note={t("note")} />;
}
