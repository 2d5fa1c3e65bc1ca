"use client";

import { MessageSquareText, Plus, SearchX } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LockBox, useLocked } from "#components/plans/locked";
import { PageHead } from "#components/shell/page-head";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { useRefreshWhile } from "#components/shell/refresh.ts";
import { UrlSearch, useUrlFilters } from "#components/shell/url-filters";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { type Column, DataTable } from "#components/ui/data-table";
import { EmptyState } from "#components/ui/empty-state";
import { Select } from "#components/ui/select";
import {
  type CampaignOverview,
  type CampaignState,
  campaignStates,
  stepOf,
} from "#lib/outreach/campaign-overview/schema";
import { SendProgress } from "./send-progress.tsx";
import { CampaignStateBadge } from "./state-badge.tsx";

interface CampaignListProps {
  path: string;
  campaigns: readonly CampaignOverview[];
  search: string;
  state: CampaignState | undefined;
  mayWrite: boolean;
}

const isRunning = ({ adding, state, startsAt }: CampaignOverview, now: number) =>
  adding || state === "sending" || (state === "scheduled" && Date.parse(startsAt ?? "") < now);

export function CampaignList({ path, campaigns, search, state, mayWrite }: CampaignListProps) {
  const t = useTranslations("campaigns.list");
  const isFiltered = search !== "" || state !== undefined;
  useRefreshWhile(campaigns.some((one) => isRunning(one, Date.now())));
  const isLocked = useLocked("campaigns");
  const lock = mayWrite ? <LockBox capability="campaigns" className="mb-4" /> : null;
  const create =
    mayWrite && !isLocked ? (
      <Button asChild variant="solid">
        <Link href={`${path}/new`}>
          <Plus aria-hidden />
          {t("create")}
        </Link>
      </Button>
    ) : null;
  if (campaigns.length === 0 && !isFiltered)
    return <NoCampaigns path={path} action={create} lock={lock} />;
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        <div className="flex flex-wrap gap-2">
          <Button asChild>
            <PrefetchLink href={`${path}/opt-outs`}>{t("optOuts")}</PrefetchLink>
          </Button>
          {campaigns.length > 1 ? (
            <Button asChild>
              <PrefetchLink href={`${path}/compare`}>{t("compare")}</PrefetchLink>
            </Button>
          ) : null}
          {create}
        </div>
      </PageHead>
      {lock}
      <div className="mb-4 flex flex-wrap gap-2">
        <UrlSearch
          label={t("search")}
          placeholder={t("search")}
          searching={t("searching")}
          className="block min-w-48 flex-1"
        />
        <StateFilter state={state} />
      </div>
      {campaigns.length > 0 ? (
        <CampaignTable path={path} campaigns={campaigns} />
      ) : (
        <EmptyState icon={<SearchX aria-hidden />} title={t("nothingTitle")}>
          {t("nothingText")}
        </EmptyState>
      )}
    </>
  );
}

function NoCampaigns({ path, action, lock }: { path: string; action: ReactNode; lock: ReactNode }) {
  const t = useTranslations("campaigns.list");
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        <Button asChild>
          <PrefetchLink href={`${path}/opt-outs`}>{t("optOuts")}</PrefetchLink>
        </Button>
      </PageHead>
      {lock}
      <EmptyState icon={<MessageSquareText aria-hidden />} title={t("emptyTitle")} actions={action}>
        <p>{t("emptyText")}</p>
        {action ? (
          <ol className="mt-3 grid list-decimal gap-1 pl-5 text-left">
            <li>{t("emptyWrite")}</li>
            <li>{t("emptyAdd")}</li>
            <li>{t("emptySend")}</li>
          </ol>
        ) : null}
      </EmptyState>
    </>
  );
}

const anyState = "any";

function StateFilter({ state }: { state: CampaignState | undefined }) {
  const t = useTranslations("campaigns.list");
  const states = useTranslations("campaigns.states");
  const { set } = useUrlFilters();
  return (
    <Select
      aria-label={t("stateFilter")}
      className="w-44"
      options={[
        { value: anyState, label: t("anyState") },
        ...campaignStates.map((value) => ({ value, label: states(value) })),
      ]}
      value={state ?? anyState}
      onValueChange={(value) => set({ state: value === anyState ? "" : value })}
    />
  );
}

function CampaignTable({ path, campaigns }: Pick<CampaignListProps, "path" | "campaigns">) {
  const t = useTranslations("campaigns.list");
  return <DataTable caption={t("heading")} rows={campaigns} columns={useColumns(path)} />;
}

function useColumns(path: string): Column<CampaignOverview>[] {
  const t = useTranslations("campaigns.list");
  const format = useFormatter();
  return [
    {
      heading: t("columnName"),
      headClass: "w-full",
      cellClass: "min-w-32 max-w-0",
      cell: ({ id, name, state, recipients, kind, adding }) => (
        <div className="grid gap-1 py-2">
          <PrefetchLink
            href={`${path}/${id}/${stepOf({ state, recipients })}`}
            className="truncate font-medium underline-offset-2 hover:underline"
          >
            {name}
          </PrefetchLink>
          <span className="flex min-w-0 flex-wrap items-center gap-1.5">
            <CampaignStateBadge state={state} recipients={recipients} />
            {adding ? <Badge tone="blue">{t("adding")}</Badge> : null}
            <span className="text-ink-muted text-xs">{t(`kinds.${kind}`)}</span>
          </span>
        </div>
      ),
    },
    {
      heading: t("columnRecipients"),
      className: "text-right",
      cellClass: "tabular-nums",
      cell: ({ recipients }) => format.number(recipients),
    },
    {
      heading: t("columnMessages"),
      className: "hidden sm:table-cell",
      cellClass: "min-w-36",
      cell: ({ sends, recipients }) => <SendProgress sends={sends} recipients={recipients} />,
    },
    {
      heading: t("columnClicked"),
      className: "text-right",
      cellClass: "tabular-nums",
      cell: ({ clicked, recipients }) => (
        <>
          {format.number(clicked)}
          {recipients > 0 ? (
            <span className="block text-ink-muted text-xs">
              {format.number(clicked / recipients, { style: "percent", maximumFractionDigits: 1 })}
            </span>
          ) : null}
        </>
      ),
    },
    {
      heading: t("columnCreated"),
      className: "hidden md:table-cell",
      cellClass: "text-ink-muted",
      cell: ({ createdAt }) => format.dateTime(new Date(createdAt), { dateStyle: "medium" }),
    },
  ];
}
