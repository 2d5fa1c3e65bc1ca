import { Inbox } from "lucide-react";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { Pager } from "#components/links/pager";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { EmptyState } from "#components/ui/empty-state";
import { DeliveryFilters } from "#components/webhooks/delivery-filters";
import { DeliveryList } from "#components/webhooks/delivery-list";
import { WebhookActions } from "#components/webhooks/webhook-actions";
import { type FilterLabels, WebhookDetails } from "#components/webhooks/webhook-details";
import { WebhookNotes } from "#components/webhooks/webhook-notes";
import { WebhookStateBadge } from "#components/webhooks/webhook-state";
import { WebhookTest } from "#components/webhooks/webhook-test";
import { listFolders } from "#lib/links/folders";
import { listFoldersQuery } from "#lib/links/folders/schema";
import { listDomains } from "#lib/links/hosts";
import { listTags } from "#lib/links/tags";
import { listTagsQuery } from "#lib/links/tags/schema";
import { getWebhook, listDeliveries } from "#lib/outreach/webhooks";
import {
  type Delivery,
  isChat,
  type ListDeliveries,
  type Webhook,
} from "#lib/outreach/webhooks/schema";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { titleOf } from "../../../../../pages.ts";
import { Texts } from "../../../../../texts.tsx";
import { requireScope } from "../../../../access.ts";
import {
  deleteWebhookAction,
  editWebhookAction,
  readDeliveryAction,
  resendDeliveryAction,
  rotateWebhookAction,
  testWebhookAction,
  turnWebhookAction,
} from "../actions.ts";
import { cut, type PageParams, queryOf, shortened } from "./query.ts";

export const generateMetadata = titleOf("webhooks.heading");

interface WebhookPageProps {
  params: Promise<{ workspace: string; id: string }>;
  searchParams: Promise<PageParams>;
}

export default async function WebhookPage({ params, searchParams }: WebhookPageProps) {
  const { workspace, id } = await params;
  const query = queryOf(await searchParams);
  const scope = await requireScope(workspace);
  if (!scope.permissions.has("webhooks.read")) notFound();
  const [t, webhook, deliveries, domains] = await Promise.all([
    getTranslations("webhooks"),
    unlessMissing(getWebhook(scope, id)),
    unlessMissing(readPage(scope, id, query)),
    listDomains(scope),
  ]);
  if (!webhook || !deliveries) notFound();
  const listHref = `/app/${workspace}/settings/webhooks`;
  const mayWrite = scope.permissions.has("webhooks.write");
  return (
    <Texts of={["namePicker", "webhooks"]}>
      <BackLink href={listHref}>{t("heading")}</BackLink>
      <PageHead heading={webhook.name} note={<WebhookStateBadge webhook={webhook} />}>
        {mayWrite ? (
          <WebhookActions
            workspace={workspace}
            webhook={webhook}
            hosts={domains.map(({ slug }) => slug)}
            listHref={listHref}
            edit={editWebhookAction.bind(null, workspace, id)}
            rotate={rotateWebhookAction.bind(null, workspace, id)}
            turn={turnWebhookAction.bind(null, workspace, id)}
            remove={deleteWebhookAction.bind(null, workspace, id)}
          />
        ) : null}
      </PageHead>
      <WebhookNotes webhook={webhook} zone={scope.zone} />
      <div className="grid gap-5">
        <WebhookDetails webhook={webhook} labels={await readLabels(scope, webhook)} />
        {mayWrite ? (
          <WebhookTest
            webhook={webhook}
            send={testWebhookAction.bind(null, workspace, id)}
            read={readDeliveryAction.bind(null, workspace, id)}
          />
        ) : null}
        <Deliveries
          found={deliveries}
          query={query}
          webhook={webhook}
          zone={scope.zone}
          path={`${listHref}/${id}`}
          resend={mayWrite ? resendDeliveryAction.bind(null, workspace, id) : null}
        />
      </div>
    </Texts>
  );
}

interface DeliveriesProps {
  found: readonly Delivery[];
  query: ListDeliveries;
  webhook: Webhook;
  zone: string;
  path: string;
  resend: Parameters<typeof DeliveryList>[0]["resend"];
}

async function Deliveries({ found, query, webhook, zone, path, resend }: DeliveriesProps) {
  const t = await getTranslations("webhooks");
  const { rows, first, next } = cut(found, query, path);
  const shown = rows.map((row) => ({ ...row, request: shortened(row.request) }));
  const isFiltered = query.state !== undefined || query.type !== undefined;
  const empty = isFiltered ? "noMatch" : "noDeliveries";
  return (
    <section aria-labelledby="deliveries" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="deliveries" className="font-semibold text-base">
          {t("deliveries")}
        </h2>
        <DeliveryFilters />
      </div>
      {rows.length > 0 ? (
        <DeliveryList
          deliveries={shown}
          zone={zone}
          live={webhook.state === "active"}
          chat={isChat(webhook.format)}
          resend={resend}
        />
      ) : (
        <EmptyState icon={<Inbox aria-hidden />} title={t(`${empty}Title`)}>
          {t(`${empty}Text`)}
        </EmptyState>
      )}
      <div className="flex">
        <Pager previous={first} next={next} />
      </div>
    </section>
  );
}

async function readPage(
  scope: WorkspaceScope,
  id: string,
  query: ListDeliveries,
): Promise<Delivery[]> {
  try {
    return await listDeliveries(scope, id, query);
  } catch (error) {
    // The event of an old URL was deleted after some days.
    const isGone = error instanceof AppError && error.code === "unprocessable_entity";
    if (!isGone) throw error;
    return await listDeliveries(scope, id, { ...query, startingAfter: undefined });
  }
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** The names of the folders and tags that it is limited to. */
async function readLabels(
  scope: WorkspaceScope,
  { folderIds, tagIds }: Webhook,
): Promise<FilterLabels> {
  const [folders, tags] = await Promise.all([
    folderIds.length === 0
      ? []
      : listFolders(scope, { ...listFoldersQuery.parse({}), ids: folderIds }),
    tagIds.length === 0 ? [] : listTags(scope, { ...listTagsQuery.parse({}), ids: tagIds }),
  ]);
  return Object.fromEntries([...folders, ...tags].map(({ id, name }) => [id, name]));
}
