import { Search } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { SearchResults } from "#components/admin/search-results";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { InputField } from "#components/ui/labeled";
import { searchOffice } from "#lib/office/search";
import { searchText } from "#lib/office/search/schema";
import { requireOperator } from "../../access.ts";
import { officeMetadata } from "../../title.ts";

export function generateMetadata(): Promise<Metadata> {
  return officeMetadata("search");
}

interface SearchPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SearchPage({ searchParams }: SearchPageProps) {
  const operator = await requireOperator();
  const [nav, t, params] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.search"),
    searchParams,
  ]);
  const text = searchText.safeParse(params["text"]);
  const found = text.success ? await searchOffice(operator, text.data) : undefined;
  return (
    <>
      <PageHead heading={nav("search")} note={t("note")} />
      {/* A form of the browser: each search is recorded, so none runs while someone types. */}
      <form action="/admin/search" className="mb-6 flex max-w-2xl items-end gap-2">
        <InputField
          label={t("text")}
          outerClass="flex-1"
          name="text"
          type="search"
          required
          maxLength={2_048}
          autoComplete="off"
          spellCheck={false}
          defaultValue={text.success ? text.data : ""}
        />
        <Button type="submit" variant="solid" className="h-9 pointer-coarse:h-11">
          {t("submit")}
        </Button>
      </form>
      {found ? (
        <SearchResults found={found} />
      ) : (
        <EmptyState icon={<Search aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      )}
    </>
  );
}
