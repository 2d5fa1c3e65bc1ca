import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { OfficePage } from "#components/admin/entries.ts";
import { requireOperator } from "./access.ts";

/** `generateMetadata` of a back office page. Only administrators may learn its title. */
export function officeTitle(page: OfficePage) {
  return async (): Promise<Metadata> => {
    await requireOperator();
    const t = await getTranslations("admin.nav");
    return { title: t(page) };
  };
}
