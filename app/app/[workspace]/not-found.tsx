import { getTranslations } from "next-intl/server";
import { Missing } from "../../../components/shell/missing.tsx";

/** Inside the frame of the workspace: an object in it was not found. */
export default async function WorkspaceNotFoundPage() {
  const t = await getTranslations("missing");
  return <Missing home="/app" label={t("dashboard")} />;
}
