import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function ContactsLoading() {
  const t = await getTranslations("contacts");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
