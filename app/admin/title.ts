import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { OfficePage } from "#components/admin/entries.ts";
import { requireOperator } from "./access.ts";

/** The metadata of a page of the back office. Also a title is only for administrators. */
export async function officeMetadata(page: OfficePage): Promise<Metadata> {
  await requireOperator();
  const t = await getTranslations("admin.nav");
  return { title: t(page) };
}
