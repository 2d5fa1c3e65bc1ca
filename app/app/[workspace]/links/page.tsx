import { FileUp, Globe, Link2, SearchX } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { ListJobNote, RetiringNote } from "#components/links/lazy-parts.ts";
import { LinkFilters } from "#components/links/link-filters";
import { LinkList } from "#components/links/link-list";
import { CreateLinkButton, ExportLinks, MissedLinks } from "#components/links/list-buttons";
import type { ListRange } from "#components/links/list-head";
import { pageSizes } from "#components/links/page-size.ts";
import { Pager } from "#components/links/pager";
import { withoutEmptyFields } from "#components/links/sent-rows.ts";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { Kbd } from "#components/ui/kbd";
import { checksDestinations } from "#lib/links/destination-checks";
import { listDomains } from "#lib/links/hosts";
import { readSearchBounds } from "#lib/links/indexing";
import { findListJob } from "#lib/links/list-jobs";
import { listSavedViews } from "#lib/links/saved-views";
import type { SavedView } from "#lib/links/saved-views/schema";
import { scannedLinksMax } from "#lib/links/search/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isGuest } from "#lib/tenancy/access/schema";
import { type ListPageOf, Texts, titleOf } from "../../../pages.tsx";
import { chooseListLayout } from "../../../preference-actions.ts";
import { getListLayout } from "../../../preferences.ts";
import { requireReader } from "../../access.ts";
import { QuotaNote } from "../quota-note.tsx";
import { BesideFolders } from "./beside-folders.tsx";
import { editsOf } from "./edits.ts";
import {
  changeLinksAction,
  deleteLinksAction,
  duplicateLinkAction,
  restoreLinksAction,
} from "./group-actions.ts";
import { jobActionsFor } from "./job-actions.ts";
import { createViewAction, deleteViewAction } from "./list-actions.ts";
import {
  exportUrl,
  filtersOfList,
  firstRowOf,
  isFiltered,
  type LinksQuery,
  parseQuery,
  urlOf,
} from "./query.ts";
import { readNames, readPage, readRail, readTotal } from "./read-list.ts";
import { keepRetiringAction } from "./retirement-actions.ts";

export const generateMetadata = titleOf("linksPage.title");

export default async function LinksPage({ params, searchParams }: ListPageOf<"workspace">) {
  const { workspace } = await params;
  const given = await searchParams;
  const query = parseQuery(given);
  const scope = await requireReader(workspace);
  const [domains, layout, page, named, { tooShort, ...total }, job, views, beside] =
    await Promise.all([
      listDomains(scope),
      getListLayout(),
      readPage(scope, query),
      readNames(scope, query),
      readTotal(scope, query),
      findListJob(scope),
      listSavedViews(scope),
      readRail(scope),
    ]);
  const { rows, before } = page;
  const path = `/app/${workspace}/links`;
  const filtered = isFiltered(query);
  const shown = rows.length > 0 || filtered;
  const writes = scope.permissions.has("links.write");
  const bounds = query.search ? <SearchBounds scope={scope} /> : null;
  // Paging back to the start shows the first row, whatever the URL says.
  const first = before === undefined ? 1 : firstRowOf(given);
  const range = { first, ...total };
  const offers = offersFor(scope, query, views);
  return (
    <Texts of={["linkGroup", "links"]}>
      <QuotaNote scope={scope} name="links" />
      <ListTitle offers={offers} isEmpty={rows.length === 0} />
      {shown ? (
        <LinkFilters
          workspace={workspace}
          hosts={domains.map((domain) => domain.slug)}
          named={named}
          checks={checksDestinations()}
          views={offers.views}
          layout={layout}
          chooseLayout={chooseListLayout}
        />
      ) : null}
      {job ? <ListJobNote job={job} now={Date.now()} actions={jobActionsFor(workspace)} /> : null}
      {query.status === "retiring" ? <Retiring scope={scope} links={rows.length} /> : null}
      <BesideFolders
        workspace={workspace}
        query={query}
        folders={layout.folders && shown ? beside : []}
      >
        {rows.length > 0 ? (
          <LinkList
            // A selection survives turning pages, but not a change of filters.
            key={JSON.stringify(filtersOfList(query))}
            workspace={workspace}
            sent={{ links: withoutEmptyFields(rows), daily: page.daily, creators: page.creators }}
            layout={layout}
            now={Date.now()}
            range={range}
            folders={[...beside, ...page.folders]}
            exportHref={offers.exportHref}
            withArchived={query.archived}
            {...actionsFor(workspace, writes)}
            foot={
              <ListFoot path={path} query={query} range={range} page={page}>
                {bounds}
              </ListFoot>
            }
          />
        ) : filtered ? (
          <NothingFound query={query} path={path} tooShort={tooShort}>
            {bounds}
          </NothingFound>
        ) : (
          <NoLinks workspace={workspace} permissions={scope.permissions} />
        )}
      </BesideFolders>
    </Texts>
  );
}

interface ListTitleProps {
  offers: ReturnType<typeof offersFor>;
  isEmpty: boolean;
}

async function ListTitle({ offers: { missedHref, exportHref }, isEmpty }: ListTitleProps) {
  const t = await getTranslations("linksPage");
  return (
    <PageHead heading={t("heading")}>
      <div className="flex gap-2">
        {missedHref ? <MissedLinks href={missedHref}>{t("missed")}</MissedLinks> : null}
        {exportHref && !isEmpty ? (
          <ExportLinks label={t("export")} title={t("exportHint")} href={exportHref} />
        ) : null}
        <CreateLinkButton />
      </div>
    </PageHead>
  );
}

interface ListFootProps {
  path: string;
  query: LinksQuery;
  range: ListRange;
  page: Awaited<ReturnType<typeof readPage>>;
  children: ReactNode;
}

async function ListFoot({ path, query, range, page, children }: ListFootProps) {
  const { rows, before, after } = page;
  const { first, total, more } = range;
  const t = await getTranslations("linksPage");
  const last = first + rows.length - 1;
  const position = { first, last, total: Math.max(total, last) };
  const previousRow = `${Math.max(1, first - query.size)}`;
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <div className="text-ink-faint text-xs">
        <p>{t("clicksHint")}</p>
        {children}
      </div>
      <Pager
        position={t(more ? "rowsMore" : "rows", position)}
        previous={before && urlOf(path, query, { before, row: previousRow })}
        next={after && urlOf(path, query, { after, row: `${last + 1}` })}
        sizes={pageSizes.map((size) => ({
          size,
          href: urlOf(path, { ...query, size }, {}),
          current: size === query.size,
        }))}
      />
    </div>
  );
}

function Retiring({ scope, links }: { scope: WorkspaceScope; links: number }) {
  if (links === 0) return null;
  const mayKeep = scope.permissions.has("workspace.write");
  return <RetiringNote keepAll={mayKeep ? keepRetiringAction.bind(null, scope.slug) : null} />;
}

/** Visitors of the public demo can neither see missed links, export links nor save views. */
function offersFor(scope: WorkspaceScope, query: LinksQuery, views: readonly SavedView[]) {
  if (isGuest(scope)) return { missedHref: null, exportHref: null, views: null };
  const { slug, permissions } = scope;
  const actions = {
    create: createViewAction.bind(null, slug),
    remove: deleteViewAction.bind(null, slug),
  };
  return {
    missedHref: `/app/${slug}/links/missed`,
    exportHref: exportUrl(slug, query),
    views: { views, mayShare: permissions.has("links.write"), actions },
  };
}

function actionsFor(workspace: string, writes: boolean) {
  return {
    edits: writes ? editsOf(workspace) : null,
    group: writes
      ? {
          changeLinks: changeLinksAction.bind(null, workspace),
          deleteLinks: deleteLinksAction.bind(null, workspace),
          restoreLinks: restoreLinksAction.bind(null, workspace),
          duplicateLink: duplicateLinkAction.bind(null, workspace),
        }
      : null,
    jobs: writes ? jobActionsFor(workspace) : null,
  };
}

interface NoLinksProps {
  workspace: string;
  permissions: WorkspaceScope["permissions"];
}

async function NoLinks({ workspace, permissions }: NoLinksProps) {
  const t = await getTranslations("linksPage");
  return (
    <EmptyState
      icon={<Link2 aria-hidden />}
      title={t("emptyTitle")}
      actions={
        <>
          <CreateLinkButton />
          {permissions.has("links.write") ? (
            <Button asChild>
              <Link href={`/app/${workspace}/imports`}>
                <FileUp aria-hidden />
                {t("emptyImport")}
              </Link>
            </Button>
          ) : null}
          {permissions.has("domains.write") ? (
            <Button asChild>
              <Link href={`/app/${workspace}/domains`}>
                <Globe aria-hidden />
                {t("emptyDomain")}
              </Link>
            </Button>
          ) : null}
        </>
      }
    >
      <p>{t("emptyText")}</p>
      <p className="mt-2 pointer-coarse:hidden">
        {t.rich("emptyShortcut", { key: (chunks) => <Kbd>{chunks}</Kbd> })}
      </p>
    </EmptyState>
  );
}

interface NothingFoundProps {
  query: LinksQuery;
  path: string;
  /** The search term is too short for a workspace with so many links. */
  tooShort: boolean;
  children: ReactNode;
}

/** Says which links of this workspace are only found by a complete slug, destination or external ID. */
async function SearchBounds({ scope }: { scope: WorkspaceScope }) {
  const t = await getTranslations("linksPage.searchBounds");
  const { apiLinks, recipients } = await readSearchBounds(scope);
  if (apiLinks === null) return recipients ? <p>{t("recipients")}</p> : null;
  if (apiLinks === 0) return <p>{t("keys")}</p>;
  return <p>{t(recipients ? "both" : "older", { links: apiLinks })}</p>;
}

async function NothingFound({ query, path, tooShort, children }: NothingFoundProps) {
  const t = await getTranslations("linksPage");
  const text = query.search ? t("nothingText", { search: query.search }) : t("nothingFilterText");
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title={tooShort ? t("termTooShortTitle") : t("nothingTitle")}
      actions={
        <Button asChild>
          <Link href={path}>{t("clear")}</Link>
        </Button>
      }
    >
      <p>{tooShort ? t("termTooShort", { links: scannedLinksMax }) : text}</p>
      {children}
    </EmptyState>
  );
}
