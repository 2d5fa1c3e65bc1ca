import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function WebhooksLoading() {
  const t = await getTranslations("webhooks");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
