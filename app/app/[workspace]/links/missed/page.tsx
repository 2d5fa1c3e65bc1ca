import { Download, Unlink } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { MissedLinkTable } from "#components/links/missed-links";
import { BackLink } from "#components/shell/back-link";
import { ListPages } from "#components/shell/list-pages";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { countMissedLinks, listMissedLinks } from "#lib/analytics/missed-links";
import {
  type ListMissed,
  listMissedQuery,
  type MissedCount,
} from "#lib/analytics/missed-links/schema";
import { type ListPageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";

const periods = [7, 30, 90] as const;

export const generateMetadata = titleOf("missedLinks.heading");

export default async function MissedLinksPage({ params, searchParams }: ListPageOf<"workspace">) {
  const [{ workspace }, { domain, days, page }] = await Promise.all([params, searchParams]);
  const scope = await requireScope(workspace);
  const given = listMissedQuery.safeParse({ domain, days, page });
  const asked = given.success ? given.data : listMissedQuery.parse({});
  const [t, links, count] = await Promise.all([
    getTranslations("missedLinks"),
    listMissedLinks(scope, asked),
    countMissedLinks(scope, asked),
  ]);
  const path = `/app/${workspace}/links/missed`;
  const next = asked.page * asked.pageSize < count.links;
  return (
    <Texts of={["missedLinks"]}>
      <BackLink href={`/app/${workspace}/links`}>{t("back")}</BackLink>
      <PageHead heading={t("heading")} note={t("note")}>
        {links.length > 0 ? <ExportButton workspace={workspace} asked={asked} /> : null}
      </PageHead>
      <Period path={path} asked={asked} />
      {links.length > 0 ? (
        <>
          <MissedLinkTable workspace={workspace} links={links} zone={scope.zone} />
          <ListPages
            first={asked.page > 1 ? urlOf(path, asked, {}) : undefined}
            next={next ? urlOf(path, asked, { page: asked.page + 1 }) : undefined}
            newest={t("first")}
            older={t("next")}
          />
        </>
      ) : (
        <EmptyState icon={<Unlink aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      )}
      <Totals count={count} />
    </Texts>
  );
}

type Asked = Pick<ListMissed, "domain" | "days">;

function urlOf(path: string, { domain, days }: Asked, { page }: { page?: number }): string {
  const parameters = new URLSearchParams({
    ...(domain === undefined ? {} : { domain }),
    days: `${days}`,
    ...(page === undefined ? {} : { page: `${page}` }),
  });
  return `${path}?${parameters}`;
}

async function Period({ path, asked }: { path: string; asked: ListMissed }) {
  const t = await getTranslations("missedLinks");
  const { domain } = asked;
  return (
    <nav aria-label={t("period")} className="mb-4 flex flex-wrap items-center gap-2">
      {periods.map((days) => (
        <Button key={days} asChild size="sm" variant={days === asked.days ? "outline" : "ghost"}>
          <Link
            href={urlOf(path, { domain, days }, {})}
            aria-current={days === asked.days ? "page" : undefined}
          >
            {t("days", { days })}
          </Link>
        </Button>
      ))}
      {domain === undefined ? null : (
        <p className="flex min-w-0 flex-wrap items-center gap-2 text-ink-muted text-sm">
          <span className="min-w-0 break-all">{domain}</span>
          <Link className="text-accent underline" href={`${path}?days=${asked.days}`}>
            {t("allDomains")}
          </Link>
        </p>
      )}
    </nav>
  );
}

async function ExportButton({ workspace, asked }: { workspace: string; asked: ListMissed }) {
  const t = await getTranslations("missedLinks");
  return (
    <Button asChild>
      <a href={`${urlOf("/api/missed-links/export", asked, {})}&workspace=${workspace}`} download>
        <Download aria-hidden />
        {t("export")}
      </a>
    </Button>
  );
}

/** What the table does not show: visits without a stored slug, and bots. */
async function Totals({ count: { visits, others, bots } }: { count: MissedCount }) {
  if (visits + bots === 0) return null;
  const t = await getTranslations("missedLinks");
  return <p className="mt-4 text-ink-faint text-xs">{t("totals", { visits, others, bots })}</p>;
}
