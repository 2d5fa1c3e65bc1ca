import { getTranslations } from "next-intl/server";
import { TableLoading } from "#components/shell/table-loading";

export default async function WechatLoading() {
  const t = await getTranslations("wechat");
  return <TableLoading heading={t("heading")} note={t("note")} />;
}
