import { useTranslations } from "next-intl";
import type { Link } from "#lib/links/fields/schema";

export function useInsideAppsText(): (value: NonNullable<Link["insideApps"]>) => string {
  const t = useTranslations("linkPage.insideAppsText");
  return ({ open, path = "", appId = "", query = "", canContinue }) => {
    const page = query === "" ? path : `${path}?${query}`;
    const text = open === "browser" ? t("browser") : t("miniProgram", { app: appId, page });
    return canContinue ? text : `${text} ${t("noContinue")}`;
  };
}
