import { getTranslations } from "next-intl/server";
import { NotFound } from "#components/shell/not-found-page";
import { titleOf } from "./pages.tsx";

export const generateMetadata = titleOf("missing.title");

export default async function NotFoundPage() {
  const t = await getTranslations("missing");
  return (
    <main id="content" className="mx-auto grid min-h-dvh max-w-xl content-center px-5">
      <NotFound home="/" label={t("home")} />
    </main>
  );
}
