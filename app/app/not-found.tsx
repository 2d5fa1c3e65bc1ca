import { getTranslations } from "next-intl/server";
import { Missing } from "../../components/shell/missing.tsx";

export default async function DashboardNotFoundPage() {
  const t = await getTranslations("missing");
  return (
    <main id="content" className="mx-auto grid min-h-dvh max-w-xl content-center px-5">
      <Missing home="/app" label={t("dashboard")} />
    </main>
  );
}
