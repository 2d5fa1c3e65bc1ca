import { useLocale } from "next-intl";
import { type AppName, appLabel } from "#lib/platform/request-info/schema";

/** The name of an app in the language of the page. */
export function useAppLabel(): (app: AppName) => string {
  const locale = useLocale();
  return (app) => appLabel(app, locale === "zh" ? "zh" : "en");
}
