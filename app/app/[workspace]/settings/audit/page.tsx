import { ScrollText } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { AuditFilters } from "#components/audit/audit-filters";
import { AuditList } from "#components/audit/audit-list";
import { Pager } from "#components/links/pager";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { listApiKeys } from "#lib/identity/api-keys";
import { parseAgent } from "#lib/platform/request-info";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit, nameMentioned } from "#lib/tenancy/audit";
import type { PresentedAuditEntry } from "#lib/tenancy/audit/schema";
import { listMembers } from "#lib/tenancy/members";
import { type ListPageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import {
  type AuditPageFilters,
  entriesPerPage,
  filterOf,
  paramsOf,
  parseFilters,
} from "./query.ts";

export const generateMetadata = titleOf("audit.heading");

export default async function AuditPage({ params, searchParams }: ListPageOf<"workspace">) {
  const { workspace: slug } = await params;
  const filters = parseFilters(await searchParams);
  const scope = await requireScope(slug);
  const t = await getTranslations("audit");
  if (!scope.permissions.has("audit.read")) {
    return (
      <EmptyState icon={<ScrollText aria-hidden />} title={t("heading")} wholePage>
        {t("notYours")}
      </EmptyState>
    );
  }
  const [found, actors] = await Promise.all([listPage(scope, filters), listActors(scope)]);
  const { entries, previous, next } = cut(found, filters, `/app/${slug}/settings/audit`);
  const names = await nameMentioned(scope, entries);
  const filtered = Object.keys(paramsOf(filters)).length > 0;
  return (
    <Texts of={["audit"]}>
      <PageHead heading={t("heading")} note={t("note")} />
      <AuditFilters actors={actors} exportHref={exportUrl(slug, filters, scope.zone)} />
      {entries.length > 0 ? (
        <AuditList entries={entries.map(withAgent)} names={names} zone={scope.zone} />
      ) : (
        <EmptyState
          icon={<ScrollText aria-hidden />}
          title={t(filtered ? "nothingTitle" : "emptyTitle")}
          actions={
            filtered ? (
              <Button asChild>
                <Link href={`/app/${slug}/settings/audit`}>{t("clear")}</Link>
              </Button>
            ) : null
          }
        >
          {t(filtered ? "nothingText" : "emptyText")}
        </EmptyState>
      )}
      <div className="mt-4 flex">
        <Pager previous={previous} next={next} />
      </div>
    </Texts>
  );
}

function listPage(
  scope: WorkspaceScope,
  filters: AuditPageFilters,
): Promise<PresentedAuditEntry[]> {
  return listAudit(scope, {
    ...filterOf(filters, scope.zone),
    pageSize: entriesPerPage + 1,
    ...(filters.after
      ? { startingAfter: filters.after }
      : filters.before
        ? { endingBefore: filters.before }
        : {}),
  });
}

function cut(found: PresentedAuditEntry[], filters: AuditPageFilters, path: string) {
  const backwards = filters.before !== "" && filters.after === "";
  const more = found.length > entriesPerPage;
  const entries = backwards ? found.slice(more ? 1 : 0) : found.slice(0, entriesPerPage);
  const address = (place: Record<string, string | undefined>) => {
    const named = Object.entries({ ...paramsOf(filters), ...place });
    const params = named.filter((pair): pair is [string, string] => pair[1] !== undefined);
    return `${path}?${new URLSearchParams(params)}`;
  };
  const hasBefore = backwards ? more : filters.after !== "";
  return {
    entries,
    previous: hasBefore && entries.length > 0 ? address({ before: entries[0]?.id }) : undefined,
    next: backwards || more ? address({ after: entries.at(-1)?.id }) : undefined,
  };
}

async function listActors(scope: WorkspaceScope) {
  const [members, keys] = await Promise.all([
    listMembers(scope),
    scope.permissions.has("keys.read") ? listApiKeys(scope) : [],
  ]);
  return [
    ...members.map(({ id, name }) => ({ id, name, kind: "person" as const })),
    ...keys.map(({ id, name }) => ({ id, name, kind: "key" as const })),
  ];
}

function exportUrl(slug: string, filters: AuditPageFilters, zone: string) {
  return `/api/audit/export?${new URLSearchParams({ workspace: slug, ...textsOf(filterOf(filters, zone)) })}`;
}

function textsOf(filter: object): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));
}

function withAgent(entry: PresentedAuditEntry) {
  const { browser, os } = parseAgent(entry.agent ?? "");
  return { ...entry, program: [browser, os].filter((part) => part !== null).join(", ") };
}
