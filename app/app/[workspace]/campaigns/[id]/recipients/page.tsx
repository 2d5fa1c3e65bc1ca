import { Users } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { CampaignFigures } from "#components/campaigns/campaign-figures";
import { RecipientFilter } from "#components/campaigns/recipient-filter";
import { RecipientSources } from "#components/campaigns/recipient-sources";
import { RecipientTable } from "#components/campaigns/recipient-table";
import { recipientsUrl } from "#components/campaigns/source-calls.ts";
import { Pager } from "#components/links/pager";
import { LockBox } from "#components/plans/locked";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Button } from "#components/ui/button";
import { EmptyState } from "#components/ui/empty-state";
import { isStartable } from "#lib/outreach/campaign-overview/schema";
import { getCampaignStatus, listRecipients } from "#lib/outreach/campaigns";
import { listRecipientsQuery } from "#lib/outreach/campaigns/schema";
import { listRecipientSources } from "#lib/outreach/sources";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isFeatureOn } from "#lib/tenancy/features";
import { includes } from "#lib/tenancy/plans";
import { type ListPageOf, Texts } from "../../../../../pages.tsx";
import { FeatureNote } from "../../../feature-note.tsx";
import { erasePersonAction } from "../../actions.ts";
import { openCampaign } from "../../open-campaign.ts";
import { neighborsOf, parseRecipients, type RecipientsView } from "../../recipients-query.ts";
import {
  addAudienceAction,
  changeSourceAction,
  findCampaignsAction,
  stepSourceAction,
} from "../../source-actions.ts";

const sourcesShown = 20;
const texts = ["recipients", "campaigns.messages", "namePicker"];

export default async function RecipientsPage({
  params,
  searchParams,
}: ListPageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const view = parseRecipients(await searchParams);
  const { scope, campaign } = await openCampaign(workspace, id);
  const [status, sources, isOn] = await Promise.all([
    getCampaignStatus(scope, id),
    listRecipientSources(scope, id, { pageSize: sourcesShown }),
    isFeatureOn("bulk"),
  ]);
  const mayWrite = mayAddTo(scope);
  const isLocked = !includes(scope, "bulk");
  const isOpen = campaign.erasedAt === null && status.sending.state !== "cancelled";
  const isEmpty = campaign.lastAddedAt === null;
  return (
    <Texts of={texts}>
      {mayWrite && !isOn ? <FeatureNote /> : null}
      <div className="grid gap-5">
        {isEmpty ? null : <CampaignFigures status={status} />}
        {mayWrite ? <LockBox capability="bulk" /> : null}
        {mayWrite ? (
          <RecipientSources
            workspace={workspace}
            campaign={campaign}
            seesPeople={scope.permissions.has("people.view")}
            sources={sources}
            isEmpty={isEmpty}
            mayAdd={isOn && !isLocked && isOpen}
            actions={{
              change: changeSourceAction.bind(null, workspace),
              step: stepSourceAction.bind(null, workspace),
              addAudience: addAudienceAction.bind(null, workspace, id),
              findCampaigns: findCampaignsAction.bind(null, workspace),
            }}
          />
        ) : null}
        {mayWrite && campaign.recipients > 0 && isStartable(status) ? (
          <ContinueButton href={`/app/${workspace}/campaigns/${id}/check`} />
        ) : null}
        {isEmpty ? (
          mayWrite ? null : (
            <NoRecipients />
          )
        ) : (
          <Recipients
            workspace={workspace}
            id={id}
            view={view}
            scope={scope}
            isTest={campaign.variants.length > 1}
          />
        )}
      </div>
    </Texts>
  );
}

async function ContinueButton({ href }: { href: string }) {
  const t = await getTranslations("recipients");
  return (
    <Button asChild variant="solid" size="lg" className="justify-self-start">
      <PrefetchLink href={href}>{t("continue")}</PrefetchLink>
    </Button>
  );
}

function mayAddTo({ permissions }: WorkspaceScope): boolean {
  return permissions.has("campaigns.write") && permissions.has("links.write");
}

interface RecipientsProps {
  workspace: string;
  id: string;
  view: RecipientsView;
  scope: WorkspaceScope;
  isTest: boolean;
}

async function Recipients({ workspace, id, view, scope, isTest }: RecipientsProps) {
  const t = await getTranslations("recipients.table");
  const query = listRecipientsQuery.parse(view.query);
  const recipients = await listRecipients(scope, id, query);
  const { permissions } = scope;
  const mayErase = permissions.has("people.view") && mayAddTo(scope);
  const path = `/app/${workspace}/campaigns/${id}/recipients`;
  const isFull = recipients.length === query.pageSize;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-medium text-base">{t("caption")}</h2>
        <RecipientFilter
          shown={view.shown}
          exportHref={recipientsUrl(workspace, id, view.filter)}
        />
      </div>
      {recipients.length > 0 ? (
        <RecipientTable
          workspace={workspace}
          recipients={recipients}
          isTest={isTest}
          erase={mayErase ? erasePersonAction.bind(null, workspace) : null}
        />
      ) : (
        <NoRecipients isFiltered={view.shown !== "all"} />
      )}
      {permissions.has("people.view") ? null : (
        <p className="text-ink-muted text-sm">{t("masked")}</p>
      )}
      <div className="flex">
        <Pager {...neighborsOf(path, view, isFull ? recipients.at(-1)?.position : undefined)} />
      </div>
    </div>
  );
}

async function NoRecipients({ isFiltered = false }: { isFiltered?: boolean }) {
  const t = await getTranslations("recipients.table");
  return (
    <EmptyState icon={<Users aria-hidden />} title={t(isFiltered ? "nothingTitle" : "emptyTitle")}>
      {t(isFiltered ? "nothingText" : "emptyText")}
    </EmptyState>
  );
}
