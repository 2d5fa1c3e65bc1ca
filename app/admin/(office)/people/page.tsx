import { UsersRound } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { Filters, MoreButton, useCountText } from "#components/admin/list-parts";
import { OfficeLink } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Badge } from "#components/ui/badge";
import { DataTable } from "#components/ui/data-table";
import { EmptyState } from "#components/ui/empty-state";
import { InputField, SelectField } from "#components/ui/labeled";
import { listPeople } from "#lib/office/directory";
import { type ListedPeople, peopleQuery, personStates } from "#lib/office/directory/schema";
import type { PageQuery } from "../../../pages.tsx";
import { requireOperator } from "../../access.ts";
import { nextPage, readFilter, unfiltered } from "../../filter.ts";
import { officeTitle } from "../../title.ts";

const path = "/admin/people";

export const generateMetadata = officeTitle("people");

export default async function PeoplePage({ searchParams }: PageQuery) {
  const operator = await requireOperator();
  const filter = readFilter(peopleQuery, await searchParams);
  const { search = "", state, from } = filter;
  const [nav, t, states, found] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.filters"),
    getTranslations("admin.personStates"),
    listPeople(operator, filter),
  ]);
  return (
    <>
      <PageHead heading={nav("people")} />
      <Filters path={path} from={from} filtered={Boolean(search || state || from)}>
        <InputField
          label={t("personName")}
          outerClass="min-w-48 flex-1"
          name="search"
          type="search"
          maxLength={100}
          autoComplete="off"
          defaultValue={search}
        />
        <SelectField
          label={t("state")}
          outerClass="w-44"
          name="state"
          defaultValue={state ?? unfiltered}
          options={[
            { value: unfiltered, label: t("all") },
            ...personStates.map((value) => ({ value, label: states(value) })),
          ]}
        />
      </Filters>
      <PersonList found={found} more={nextPage(path, filter, found.next)} />
    </>
  );
}

function PersonList({
  found: { people, total },
  more,
}: {
  found: ListedPeople;
  more: string | undefined;
}) {
  const t = useTranslations("admin.directory");
  const states = useTranslations("admin.personStates");
  const nav = useTranslations("admin.nav");
  const format = useFormatter();
  const countText = useCountText();
  if (people.length === 0) {
    return (
      <EmptyState icon={<UsersRound aria-hidden />} title={t("noPeople")}>
        {t("noneText")}
      </EmptyState>
    );
  }
  return (
    <>
      <p role="status" className="mb-2 text-ink-muted text-sm">
        {countText(total, t("peopleFound", { count: total.count }))}
      </p>
      <DataTable
        caption={nav("people")}
        rows={people}
        columns={[
          {
            heading: t("email"),
            cellClass: "max-w-40 truncate sm:max-w-60",
            cell: ({ id, email }) => <OfficeLink href={`${path}/${id}`}>{email}</OfficeLink>,
          },
          {
            heading: t("name"),
            className: "max-md:hidden",
            cellClass: "max-w-48 truncate",
            cell: ({ name }) => name,
          },
          {
            heading: t("state"),
            cell: ({ state }) => <Badge tone={tones[state]}>{states(state)}</Badge>,
          },
          {
            heading: t("workspaces"),
            className: "text-right max-md:hidden tabular-nums",
            cell: ({ workspaces }) => format.number(workspaces),
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

const tones = {
  active: "green",
  administrator: "blue",
  unconfirmed: "gray",
  banned: "red",
} as const;
