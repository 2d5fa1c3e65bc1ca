import { Link2, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { listDomains } from "#lib/domains";
import { AppError } from "#lib/errors";
import { listLinks } from "#lib/links";
import { CreateLinkButton } from "../../../../components/links/create-link-button.tsx";
import { LinkFilters } from "../../../../components/links/link-filters.tsx";
import { LinkList } from "../../../../components/links/link-list.tsx";
import { Pager } from "../../../../components/links/pager.tsx";
import { PageHead } from "../../../../components/shell/page-head.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { Kbd } from "../../../../components/ui/kbd.tsx";
import { requireScope } from "../../seat.ts";
import { editLinkAction } from "./actions.ts";
import { changeLinksAction, discardLinksAction, restoreLinksAction } from "./group-actions.ts";
import { type Asked, addressOf, cutPage, type LinksQuery, listOf, parseQuery } from "./query.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("links");
  return { title: t("title") };
}

interface LinksPageProps {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Asked>;
}

export default async function LinksPage({ params, searchParams }: LinksPageProps) {
  const { workspace } = await params;
  const query = parseQuery(await searchParams);
  const scope = await requireScope(workspace);
  const [t, domains, found] = await Promise.all([
    getTranslations("links"),
    listDomains(scope),
    listLinks(scope, listOf(query)).catch(withoutLostCursor),
  ]);
  const { rows, before, after } = cutPage(found, query);
  const path = `/app/${workspace}/links`;
  const filtered = query.search !== "" || query.domain !== "" || query.archived;
  return (
    <>
      <PageHead heading={t("heading")}>
        <CreateLinkButton />
      </PageHead>
      {rows.length > 0 || filtered ? (
        <LinkFilters hosts={domains.map((domain) => domain.slug)} />
      ) : null}
      <div className="mt-4">
        {rows.length > 0 ? (
          <LinkList
            workspace={workspace}
            links={rows}
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
            previous={before && addressOf(path, query, { before })}
            next={after && addressOf(path, query, { after })}
          />
        </div>
      ) : null}
    </>
  );
}

/** What is offered for each link: nothing to those who may only look. */
function actionsFor(workspace: string, writes: boolean) {
  return {
    editLink: writes ? editLinkAction.bind(null, workspace) : null,
    group: writes
      ? {
          changeLinks: changeLinksAction.bind(null, workspace),
          discardLinks: discardLinksAction.bind(null, workspace),
          restoreLinks: restoreLinksAction.bind(null, workspace),
        }
      : null,
  };
}

/** A cursor of an old bookmark whose link is gone: shows an empty page instead of a failure. */
function withoutLostCursor(error: unknown): never[] {
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
