import { getTranslations } from "next-intl/server";
import { NotFound } from "#components/shell/not-found-page";

export default async function DashboardNotFoundPage() {
  const t = await getTranslations("missing");
  return (
    <main id="content" className="mx-auto grid min-h-dvh max-w-xl content-center px-5">
      <NotFound home="/app" label={t("dashboard")} />
    </main>
  );
}
