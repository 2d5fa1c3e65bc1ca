import { Search, SearchX } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { OfficeLink, RowsCard } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { InputField } from "#components/ui/labeled";
import { bareUrl } from "#lib/basics/urls/schema";
import { searchOffice } from "#lib/office/search";
import { type FoundByOffice, searchText } from "#lib/office/search/schema";
import type { PageQuery } from "../../../pages.tsx";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";

export const generateMetadata = officeTitle("search");

export default async function SearchPage({ searchParams }: PageQuery) {
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

/** Groups without results are left out. */
function SearchResults({ found }: { found: FoundByOffice }) {
  const t = useTranslations("admin.search");
  if (Object.values(found).every((group) => group.length === 0)) {
    return (
      <EmptyState icon={<SearchX aria-hidden />} title={t("noneTitle")}>
        {t("noneText")}
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-5">
      <Links found={found} />
      <Codes found={found} />
      <Names found={found} />
    </div>
  );
}

interface GroupProps {
  found: FoundByOffice;
}

function Links({ found: { links } }: GroupProps) {
  const t = useTranslations("admin.search");
  const states = useTranslations("admin.linkStates");
  if (links.length === 0) return null;
  return (
    <RowsCard
      caption={t("links")}
      columns={[t("link"), t("state"), t("workspace"), t("destination")]}
      empty=""
      rows={links.map(({ id, shortLink, state, workspace, url }) => ({
        id,
        cells: [
          <OfficeLink key="link" href={`/admin/links/${id}`}>
            {bareUrl(shortLink)}
          </OfficeLink>,
          states(state),
          <OfficeLink key="workspace" href={`/admin/workspaces/${workspace.id}`}>
            {workspace.name}
          </OfficeLink>,
          url,
        ],
      }))}
    />
  );
}

function Codes({ found: { codes } }: GroupProps) {
  const t = useTranslations("admin.search");
  const states = useTranslations("admin.codeStates");
  const format = useFormatter();
  if (codes.length === 0) return null;
  return (
    <RowsCard
      caption={t("codes")}
      columns={[t("code"), t("pk"), t("state")]}
      empty=""
      rows={codes.map(({ code, pk, state, recycled }) => ({
        id: code,
        cells: [
          code,
          format.number(pk, { useGrouping: false }),
          recycled ? t("recycled", { state: states(state) }) : states(state),
        ],
      }))}
    />
  );
}

function Names({ found: { domains, workspaces, people } }: GroupProps) {
  const t = useTranslations("admin.search");
  return (
    <>
      {domains.length > 0 ? (
        <RowsCard
          caption={t("domains")}
          columns={[t("domain"), t("state"), t("workspace")]}
          empty=""
          rows={domains.map(({ id, slug, verified, workspace }) => ({
            id,
            cells: [
              <OfficeLink key="domain" href={`/admin/domains/${id}`}>
                {slug}
              </OfficeLink>,
              t(verified ? "verified" : "pending"),
              workspace?.name ?? t("instance"),
            ],
          }))}
        />
      ) : null}
      {workspaces.length > 0 ? (
        <RowsCard
          caption={t("workspaces")}
          columns={[t("name"), t("slug"), t("plan"), t("state")]}
          empty=""
          rows={workspaces.map(({ id, name, slug, plan, deleted }) => ({
            id,
            cells: [
              <OfficeLink key="name" href={`/admin/workspaces/${id}`}>
                {name}
              </OfficeLink>,
              slug,
              plan,
              t(deleted ? "deleted" : "active"),
            ],
          }))}
        />
      ) : null}
      {people.length > 0 ? (
        <RowsCard
          caption={t("people")}
          columns={[t("email"), t("name"), t("role")]}
          empty=""
          rows={people.map(({ id, email, name, operator }) => ({
            id,
            cells: [
              <OfficeLink key="email" href={`/admin/people/${id}`}>
                {email}
              </OfficeLink>,
              name,
              t(operator ? "administrator" : "person"),
            ],
          }))}
        />
      ) : null}
    </>
  );
}
