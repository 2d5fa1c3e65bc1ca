import { Download, Link2, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { countDaily } from "#lib/analytics/reports";
import { findFolder } from "#lib/links/folders";
import { listDomains } from "#lib/links/hosts";
import { listCreators, listLinks } from "#lib/links/reading";
import { listTags } from "#lib/links/tags";
import { listTagsQuery, type Tag } from "#lib/links/tags/schema";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listMembers } from "#lib/tenancy/members";
import { CreateLinkButton } from "../../../../components/links/create-link-button.tsx";
import { LinkFilters } from "../../../../components/links/link-filters.tsx";
import { LinkList } from "../../../../components/links/link-list.tsx";
import { Pager } from "../../../../components/links/pager.tsx";
import { PageHead } from "../../../../components/shell/page-head.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { Kbd } from "../../../../components/ui/kbd.tsx";
import { chooseListLayout } from "../../../preference-actions.ts";
import { getListLayout } from "../../../preferences.ts";
import { requireScope } from "../../access.ts";
import { editLinkAction } from "./actions.ts";
import {
  changeLinksAction,
  deleteLinksAction,
  duplicateLinkAction,
  restoreLinksAction,
} from "./group-actions.ts";
import {
  cutPage,
  exportUrl,
  isFiltered,
  type LinkSearchParams,
  type LinksQuery,
  listOf,
  parseQuery,
  urlOf,
} from "./query.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("links");
  return { title: t("title") };
}

interface LinksPageProps {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<LinkSearchParams>;
}

export default async function LinksPage({ params, searchParams }: LinksPageProps) {
  const { workspace } = await params;
  const query = parseQuery(await searchParams);
  const scope = await requireScope(workspace);
  const [t, domains, members, layout, page, tag, folder] = await Promise.all([
    getTranslations("links"),
    listDomains(scope),
    listMembers(scope),
    getListLayout(),
    readPage(scope, query),
    query.tag ? findTag(scope, query.tag) : undefined,
    query.folder ? findFolder(scope, query.folder) : undefined,
  ]);
  const { rows, before, after, daily, creators } = page;
  const path = `/app/${workspace}/links`;
  const filtered = isFiltered(query);
  return (
    <>
      <PageHead heading={t("heading")}>
        <div className="flex gap-2">
          {rows.length > 0 ? (
            <Button asChild>
              <a href={exportUrl(workspace, query)} download title={t("exportHint")}>
                <Download aria-hidden />
                <span className="max-sm:sr-only">{t("export")}</span>
              </a>
            </Button>
          ) : null}
          <CreateLinkButton />
        </div>
      </PageHead>
      {rows.length > 0 || filtered ? (
        <LinkFilters
          workspace={workspace}
          hosts={domains.map((domain) => domain.slug)}
          tag={tag}
          folder={folder && { id: folder.id, name: folder.name }}
          members={members.map(({ id, name }) => ({ id, name }))}
          layout={layout}
          chooseLayout={chooseListLayout}
        />
      ) : null}
      {/* The page is as wide as the window allows. */}
      <div data-wide className="mt-4">
        {rows.length > 0 ? (
          <LinkList
            workspace={workspace}
            links={rows}
            daily={daily}
            creators={creators}
            layout={layout}
            now={Date.now()}
            withArchived={query.archived}
            {...actionsFor(workspace, scope.permissions.has("links.write"))}
          />
        ) : filtered ? (
          <NothingFound query={query} path={path} />
        ) : (
          <NoLinks />
        )}
      </div>
      {rows.length > 0 ? (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
          <p className="text-ink-faint text-xs">{t("clicksHint")}</p>
          <Pager
            previous={before && urlOf(path, query, { before })}
            next={after && urlOf(path, query, { after })}
          />
        </div>
      ) : null}
    </>
  );
}

/** The links of a page, and the sparklines and creators of all of them, in one query each. */
async function readPage(scope: WorkspaceScope, query: LinksQuery) {
  const found = await listLinks(scope, listOf(query)).catch(ignoreLostCursor);
  const cut = cutPage(found, query);
  const ids = cut.rows.map(({ id }) => id);
  const [daily, creators] = await Promise.all([countDaily(scope, ids), listCreators(scope, ids)]);
  return { ...cut, daily, creators };
}

async function findTag(scope: WorkspaceScope, id: string): Promise<Tag | undefined> {
  const [tag] = await listTags(scope, listTagsQuery.parse({ ids: id }));
  return tag;
}

/** The actions for each link: none for viewers. */
function actionsFor(workspace: string, writes: boolean) {
  return {
    editLink: writes ? editLinkAction.bind(null, workspace) : null,
    group: writes
      ? {
          changeLinks: changeLinksAction.bind(null, workspace),
          deleteLinks: deleteLinksAction.bind(null, workspace),
          restoreLinks: restoreLinksAction.bind(null, workspace),
          duplicateLink: duplicateLinkAction.bind(null, workspace),
        }
      : null,
  };
}

/** The cursor of an old bookmark whose link was deleted: shows an empty page instead of an error. */
function ignoreLostCursor(error: unknown): never[] {
  if (error instanceof AppError && error.code === "unprocessable_entity") return [];
  throw error;
}

async function NoLinks() {
  const t = await getTranslations("links");
  return (
    <EmptyState icon={<Link2 aria-hidden />} title={t("emptyTitle")} actions={<CreateLinkButton />}>
      <p>{t("emptyText")}</p>
      <p className="mt-2 pointer-coarse:hidden">
        {t.rich("emptyShortcut", { key: (chunks) => <Kbd>{chunks}</Kbd> })}
      </p>
    </EmptyState>
  );
}

async function NothingFound({ query, path }: { query: LinksQuery; path: string }) {
  const t = await getTranslations("links");
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title={t("nothingTitle")}
      actions={
        <Button asChild>
          <Link href={path}>{t("clear")}</Link>
        </Button>
      }
    >
      {query.search ? t("nothingText", { search: query.search }) : t("nothingFilterText")}
    </EmptyState>
  );
}
