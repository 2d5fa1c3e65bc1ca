import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Missing } from "../components/shell/missing.tsx";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("missing");
  return { title: t("title") };
}

export default async function NotFoundPage() {
  const t = await getTranslations("missing");
  return (
    <main id="content" className="mx-auto grid min-h-dvh max-w-xl content-center px-5">
      <Missing home="/" label={t("home")} />
    </main>
  );
}
