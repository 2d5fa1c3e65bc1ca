import { Building2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { Filters, MoreButton, useCountText } from "#components/admin/list-parts";
import { OfficeLink } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Badge } from "#components/ui/badge";
import { DataTable } from "#components/ui/data-table";
import { EmptyState } from "#components/ui/empty-state";
import { InputField, SelectField } from "#components/ui/labeled";
import { listWorkspaces } from "#lib/office/directory";
import {
  type ListedWorkspaces,
  type WorkspacesQuery,
  workspaceStates,
  workspacesQuery,
} from "#lib/office/directory/schema";
import { planNames } from "#lib/platform/config/schema";
import type { PageQuery } from "../../../pages.tsx";
import { requireOperator } from "../../access.ts";
import { nextPage, readFilter, unfiltered } from "../../filter.ts";
import { officeTitle } from "../../title.ts";

const path = "/admin/workspaces";

export const generateMetadata = officeTitle("workspaces");

export default async function WorkspacesPage({ searchParams }: PageQuery) {
  const operator = await requireOperator();
  const filter = readFilter(workspacesQuery, await searchParams);
  const [nav, found] = await Promise.all([
    getTranslations("admin.nav"),
    listWorkspaces(operator, filter),
  ]);
  return (
    <>
      <PageHead heading={nav("workspaces")} />
      <WorkspaceFilters filter={filter} />
      <WorkspaceList found={found} more={nextPage(path, filter, found.next)} />
    </>
  );
}

function WorkspaceFilters({ filter }: { filter: WorkspacesQuery }) {
  const t = useTranslations("admin.filters");
  const plans = useTranslations("plans.planNames");
  const states = useTranslations("admin.workspaceStates");
  const { search = "", plan, state, from } = filter;
  return (
    <Filters path={path} from={from} filtered={Boolean(search || plan || state || from)}>
      <InputField
        label={t("workspaceName")}
        outerClass="min-w-48 flex-1"
        name="search"
        type="search"
        maxLength={100}
        autoComplete="off"
        defaultValue={search}
      />
      <SelectField
        label={t("plan")}
        outerClass="w-36"
        name="plan"
        defaultValue={plan ?? unfiltered}
        options={[
          { value: unfiltered, label: t("all") },
          ...planNames.map((value) => ({ value, label: plans(value) })),
        ]}
      />
      <SelectField
        label={t("state")}
        outerClass="w-36"
        name="state"
        defaultValue={state ?? unfiltered}
        options={[
          { value: unfiltered, label: t("all") },
          ...workspaceStates.map((value) => ({ value, label: states(value) })),
        ]}
      />
    </Filters>
  );
}

interface WorkspaceListProps {
  found: ListedWorkspaces;
  more: string | undefined;
}

function WorkspaceList({ found: { workspaces, total }, more }: WorkspaceListProps) {
  const t = useTranslations("admin.directory");
  const plans = useTranslations("plans.planNames");
  const states = useTranslations("admin.workspaceStates");
  const nav = useTranslations("admin.nav");
  const format = useFormatter();
  const countText = useCountText();
  if (workspaces.length === 0) {
    return (
      <EmptyState icon={<Building2 aria-hidden />} title={t("noWorkspaces")}>
        {t("noneText")}
      </EmptyState>
    );
  }
  return (
    <>
      <p role="status" className="mb-2 text-ink-muted text-sm">
        {countText(total, t("workspacesFound", { count: total.count }))}
      </p>
      <DataTable
        caption={nav("workspaces")}
        rows={workspaces}
        columns={[
          {
            heading: t("name"),
            cellClass: "max-w-40 truncate sm:max-w-60",
            cell: ({ id, name, slug }) => (
              <>
                <OfficeLink href={`${path}/${id}`}>{name}</OfficeLink>
                <span className="block truncate text-ink-muted text-xs md:hidden">{slug}</span>
              </>
            ),
          },
          {
            heading: t("slug"),
            className: "max-md:hidden",
            cellClass: "max-w-48 truncate",
            cell: ({ slug }) => slug,
          },
          {
            heading: t("plan"),
            cell: ({ plan }) => plans(plan),
          },
          {
            heading: t("state"),
            cell: ({ state }) => <Badge tone={tones[state]}>{states(state)}</Badge>,
          },
          {
            heading: t("members"),
            className: "text-right max-md:hidden tabular-nums",
            cell: ({ members }) => format.number(members),
          },
          {
            heading: t("created"),
            className: "max-sm:hidden",
            cell: ({ createdAt }) => format.dateTime(new Date(createdAt), { dateStyle: "medium" }),
          },
        ]}
      />
      <MoreButton href={more}>{t("more")}</MoreButton>
    </>
  );
}

const tones = { active: "green", banned: "red", demo: "gray", deleted: "gray" } as const;
