import { CircleAlert, CirclePause, Inbox } from "lucide-react";
import { notFound } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { Pager } from "#components/links/pager";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { Card } from "#components/ui/card";
import { EmptyState } from "#components/ui/empty-state";
import { DeliveryFilters } from "#components/webhooks/delivery-filters";
import { DeliveryList } from "#components/webhooks/delivery-list";
import { WebhookActions } from "#components/webhooks/webhook-actions";
import { stateOf, WebhookStateBadge } from "#components/webhooks/webhook-state";
import { WebhookTest } from "#components/webhooks/webhook-test";
import { camelOf } from "#lib/basics/variants/schema";
import { listFolders } from "#lib/links/folders";
import { listFoldersQuery } from "#lib/links/folders/schema";
import { listDomains } from "#lib/links/hosts";
import { listTags } from "#lib/links/tags";
import { listTagsQuery } from "#lib/links/tags/schema";
import { getWebhook, listDeliveries } from "#lib/outreach/webhooks";
import * as fields from "#lib/outreach/webhooks/schema";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { findEventType } from "#lib/tenancy/webhook-events/schema";
import { type ListPageOf, Texts, titleOf } from "../../../../../pages.tsx";
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
import { cut, queryOf, shortened } from "./query.ts";

export const generateMetadata = titleOf("webhooks.heading");

export default async function WebhookPage({
  params,
  searchParams,
}: ListPageOf<"workspace" | "id">) {
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
  found: readonly fields.Delivery[];
  query: fields.ListDeliveries;
  webhook: fields.Webhook;
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
          chat={fields.isChat(webhook.format)}
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
  query: fields.ListDeliveries,
): Promise<fields.Delivery[]> {
  try {
    return await listDeliveries(scope, id, query);
  } catch (error) {
    // An old URL can name an event that has since been deleted.
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

async function readLabels(
  scope: WorkspaceScope,
  { folderIds, tagIds }: fields.Webhook,
): Promise<FilterLabels> {
  const [folders, tags] = await Promise.all([
    folderIds.length === 0
      ? []
      : listFolders(scope, { ...listFoldersQuery.parse({}), ids: folderIds }),
    tagIds.length === 0 ? [] : listTags(scope, { ...listTagsQuery.parse({}), ids: tagIds }),
  ]);
  return Object.fromEntries([...folders, ...tags].map(({ id, name }) => [id, name]));
}

type FilterLabels = Readonly<Record<string, string>>;

function WebhookDetails({ webhook, labels }: { webhook: fields.Webhook; labels: FilterLabels }) {
  const t = useTranslations("webhooks");
  const { url, events, domains, folderIds, tagIds, chosenLinks, ordered, language } = webhook;
  const listed = (names: readonly string[]) => names.join(" · ");
  const named = (ids: readonly string[]) => listed(ids.map((id) => labels[id] ?? t("deletedName")));
  const chat = fields.isChat(webhook.format);
  const rows: (readonly [string, string])[] = [
    [t("format"), t(`formats.${webhook.format}`)],
    // The path of a chat’s URL is a secret.
    [t("url"), chat ? `${new URL(url).origin}/…` : url],
    [
      t("eventsLabel"),
      listed(
        events.map((type) => {
          const known = findEventType(type);
          return known ? t(`events.${camelOf(known)}`) : type;
        }),
      ),
    ],
    ...(domains.length > 0 ? [[t("domains"), listed(domains)] as const] : []),
    ...(folderIds.length > 0 ? [[t("folders"), named(folderIds)] as const] : []),
    ...(tagIds.length > 0 ? [[t("tags"), named(tagIds)] as const] : []),
    ...(chosenLinks ? [[t("linksLabel"), t("chosenLinks")] as const] : []),
    ...(ordered ? [[t("orderLabel"), t("ordered")] as const] : []),
    ...(chat ? [[t("language"), t(`languages.${language}`)] as const] : []),
  ];
  return (
    <Card heading={t("details")}>
      <dl className="grid gap-3 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="grid gap-0.5 sm:grid-cols-[10rem_minmax(0,1fr)] sm:gap-3">
            <dt className="text-ink-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Why a webhook gets no events, or lost some. */
function WebhookNotes({ webhook, zone }: { webhook: fields.Webhook; zone: string }) {
  const t = useTranslations("webhooks");
  const format = useFormatter();
  const state = stateOf(webhook);
  const since =
    webhook.failingSince &&
    format.dateTime(new Date(webhook.failingSince), {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: zone,
    });
  const reason = webhook.disabledReason === "gone" ? "gone" : "failing";
  return (
    <div className="mb-5 grid gap-3 empty:hidden">
      {state === "paused" ? (
        <p className={noteClass}>
          <CirclePause aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-muted" />
          {t("pausedNote", { days: fields.keptDays })}
        </p>
      ) : null}
      {state === "failing" && since ? (
        <Problem text={t("failingNote", { since, days: fields.keptDays })} />
      ) : null}
      {state === "disabled" ? (
        <Problem text={t(`disabledNotes.${reason}`, { days: fields.keptDays })} />
      ) : null}
      {webhook.dropped > 0 ? <Problem text={t("dropped", { count: webhook.dropped })} /> : null}
    </div>
  );
}

const noteClass = "flex gap-2 rounded-xl border border-line bg-sunken p-4 text-sm";

function Problem({ text }: { text: string }) {
  return (
    <p className={noteClass}>
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      {text}
    </p>
  );
}
