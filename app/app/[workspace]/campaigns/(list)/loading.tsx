import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function CampaignsLoading() {
  const t = await getTranslations("campaigns.list");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
