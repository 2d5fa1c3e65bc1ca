import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PageHead } from "../../../components/shell/page-head.tsx";
import { requireOperator } from "../access.ts";
import { officeMetadata } from "../title.ts";

export function generateMetadata(): Promise<Metadata> {
  return officeMetadata("overview");
}

export default async function OverviewPage() {
  await requireOperator();
  const t = await getTranslations("admin.nav");
  return <PageHead heading={t("overview")} />;
}
