import { getTranslations } from "next-intl/server";
import { NotFound } from "#components/shell/not-found-page";

/** Inside the frame of the workspace: an object in it was not found. */
export default async function WorkspaceNotFoundPage() {
  const t = await getTranslations("missing");
  return <NotFound home="/app" label={t("dashboard")} />;
}
