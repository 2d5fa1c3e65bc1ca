import { getTranslations } from "next-intl/server";
import { NotFound } from "#components/shell/not-found-page";

export default async function WorkspaceNotFoundPage() {
  const t = await getTranslations("missing");
  return <NotFound home="/app" label={t("dashboard")} />;
}
